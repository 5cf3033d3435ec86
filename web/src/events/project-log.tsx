import { Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { EventLogView } from './log.tsx';
import type { LogSearch } from './search.ts';

const route = getRouteApi('/shell/projects/$projectId/logs');

/** The event log of one project. */
export function ProjectLog() {
  const { projectId } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useMemo(() => ({ project: projectId }), [projectId]);
  const change = useCallback(
    (next: LogSearch, { replace }: { readonly replace: boolean }) =>
      void navigate({ search: next, replace, resetScroll: false }),
    [navigate],
  );
  return (
    <EventLogView
      scope={scope}
      search={search}
      onSearch={change}
      title={
        <Title order={2} size="h3">
          Event log
        </Title>
      }
    />
  );
}
