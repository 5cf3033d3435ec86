import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import classes from '../projects.module.css';
import { ExportFeatures } from './export-features.tsx';
import { ImportFeatures } from './import-features.tsx';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/import-export');

/** Takes features of an environment to a file, and back from one. */
export function ImportExport() {
  const { projectId } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack className={classes.form}>
      <SettingsHead title="Import and export">
        A file has features with their strategies, variants and states in one environment. It can be
        read here, in another installation, and in Unleash.
      </SettingsHead>
      <Tabs
        value={tab ?? 'export'}
        onChange={(value) =>
          void navigate({ search: value === 'import' ? { tab: 'import' } : {}, replace: true })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="export">Export</Tabs.Tab>
          <Tabs.Tab value="import">Import</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="export" pt="md">
          <ExportFeatures projectId={projectId} />
        </Tabs.Panel>
        <Tabs.Panel value="import" pt="md">
          <ImportFeatures projectId={projectId} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
