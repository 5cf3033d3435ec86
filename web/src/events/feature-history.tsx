import { Button, Group, Title } from '@mantine/core';
import { IconTimeline } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useMemo } from 'react';
import type { Feature } from '../flags/feature/view.ts';
import { read } from '../queries.ts';
import { lazyPart } from '../ui/lazy-part.ts';
import { Waiting } from '../ui/waiting.tsx';
import { EventLogView } from './log.tsx';
import type { LogSearch } from './search.ts';

const Timeline = lazyPart(() => import('../history/timeline.tsx'), 'Timeline');

interface Props {
  readonly feature: Feature;
  /** The moment of the timeline, if it is open. */
  readonly asOf: string | undefined;
  readonly onAsOf: (asOf: string | undefined, options: { readonly replace: boolean }) => void;
  /** The search parameters of the log. */
  readonly search: LogSearch;
  readonly onSearch: (search: LogSearch, options: { readonly replace: boolean }) => void;
}

/** The event log of one feature, and its timeline. */
export function FeatureHistory({ feature, asOf, onAsOf, search, onSearch }: Props) {
  const { project, name } = feature;
  const scope = useMemo(() => ({ project, feature: name }), [project, name]);
  // The timeline begins at the newest change.
  const newest = useQuery({
    ...read('GET /api/admin/search/events', { query: { feature: `IS:${name}`, limit: '1' } }),
    enabled: asOf === undefined,
  }).data?.events[0];
  return (
    <>
      {asOf !== undefined && (
        <Suspense fallback={<Waiting />}>
          <Timeline feature={feature} asOf={asOf} onAsOf={onAsOf} />
        </Suspense>
      )}
      <EventLogView
        scope={scope}
        search={search}
        onSearch={onSearch}
        withFacets={false}
        title={
          <Group gap="sm">
            <Title order={2} size="h4">
              Event log
            </Title>
            {asOf === undefined && newest && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconTimeline size={14} aria-hidden />}
                onClick={() => onAsOf(String(newest.id), { replace: false })}
              >
                View timeline
              </Button>
            )}
          </Group>
        }
      />
    </>
  );
}
