import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageLink } from '../../../ui/link.tsx';
import { SegmentsOfProject } from '../../segments/segments.tsx';
import classes from '../projects.module.css';
import { SettingsHead } from './settings-head.tsx';

const route = getRouteApi('/shell/projects/$projectId/settings/segments');

/** The segments that only this project can use. */
export function ProjectSegments() {
  const { projectId } = route.useParams();
  return (
    <Stack className={classes.form}>
      <SettingsHead title="Segments">
        Reusable sets of constraints, available only in this project. See also{' '}
        <PageLink to="/segments" size="sm" underline="always">
          global segments
        </PageLink>
        .
      </SettingsHead>
      <SegmentsOfProject projectId={projectId} />
    </Stack>
  );
}
