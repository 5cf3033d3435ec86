import { Stack, Tabs } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import classes from '../projects.module.css';
import { ExportFeatures } from './export-features.tsx';
import { ImportFeatures } from './import-features.tsx';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/import-export');

/** Exports features to a file, and imports them from one. */
export function ImportExport() {
  const { projectId } = route.useParams();
  const { tab } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Stack className={classes.form}>
      <SettingsHead title="Import and export">
        Move features between projects and instances as JSON, with their strategies, variants, and
        enabled state in one environment. Compatible with Unleash.
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
