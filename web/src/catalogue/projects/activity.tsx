import { Group } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { EventList } from '../../events/event-list.tsx';
import { PageLink } from '../../ui/link.tsx';

const route = getRouteApi('/shell/projects/$projectId/logs');

/** What happened in one project. */
export function ProjectActivity() {
  const { projectId } = route.useParams();
  const query = { project: `IS:${projectId}` };
  return (
    <>
      <Group justify="flex-end" mb="xs">
        <PageLink to="/history" search={query} size="sm">
          Search in the event log
        </PageLink>
      </Group>
      <EventList query={query} withTotal />
    </>
  );
}
