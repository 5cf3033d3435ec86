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
        A segment names a set of conditions that several strategies share. These can be used by
        features of this project alone;{' '}
        <PageLink to="/segments" size="sm" underline="always">
          others
        </PageLink>{' '}
        are for every project.
      </SettingsHead>
      <SegmentsOfProject projectId={projectId} />
    </Stack>
  );
}
