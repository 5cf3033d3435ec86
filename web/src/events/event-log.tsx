import { Group, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { PageLink } from '../ui/link.tsx';
import { EventLogView } from './log.tsx';
import type { LogSearch } from './search.ts';

const route = getRouteApi('/shell/history');

const everywhere = {};

/** The event log of the instance, as far as the user has access. */
export function EventLog() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: LogSearch, { replace }: { readonly replace: boolean }) =>
      void navigate({ search: next, replace, resetScroll: false }),
    [navigate],
  );
  return (
    <EventLogView
      scope={everywhere}
      search={search}
      onSearch={change}
      title={
        <Group gap="sm" align="baseline">
          <Title order={1} size="h2">
            Event log
          </Title>
          <PageLink to="/incident" size="sm">
            Incident view
          </PageLink>
        </Group>
      }
    />
  );
}
