import { Button, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api, type Response } from '../api.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { Waiting } from '../ui/waiting.tsx';
import classes from './events.module.css';
import type { EventQuery } from './search.ts';
import { EventSentence } from './sentence.tsx';

type Page = Response<'GET /api/admin/search/events'>;

const day = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const count = new Intl.NumberFormat();

interface Props {
  readonly query: EventQuery;
  readonly limit?: number;
  readonly withTotal?: boolean;
}

/** Events, newest first, under the day on which they happened. */
export function EventList({ query, limit = 50, withTotal = false }: Props) {
  const found = useInfiniteQuery({
    queryKey: ['GET /api/admin/search/events', 'pages', query, limit],
    queryFn: ({ pageParam, signal }) =>
      api('GET /api/admin/search/events', {
        query: { ...query, limit: String(limit), ...(pageParam !== '' && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }: Page) => nextCursor,
    placeholderData: keepPreviousData,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const events = found.data.pages.flatMap((page) => page.events);
  const total = found.data.pages[0]?.total ?? 0;
  if (events.length === 0) {
    return (
      <EmptyState title="No event matches">
        Every change is recorded here in the moment in which it happens.
      </EmptyState>
    );
  }
  const days = Map.groupBy(events, ({ createdAt }) => day.format(new Date(createdAt)));
  return (
    <Stack gap="xs">
      {withTotal && (
        <Text size="sm" className="quiet tabular" role="status">
          <b>{count.format(total)}</b> {total === 1 ? 'event matches' : 'events match'} · newest
          first
        </Text>
      )}
      <div className="card">
        {[...days].map(([name, ofDay]) => (
          <section key={name} aria-label={name}>
            <Text className={classes.day}>{name}</Text>
            <ol className={classes.events}>
              {ofDay.map((event) => (
                <li key={event.id} className={classes.event}>
                  <time
                    className="quiet tabular"
                    dateTime={event.createdAt}
                    title={exact.format(new Date(event.createdAt))}
                  >
                    {time.format(new Date(event.createdAt))}
                  </time>
                  <span>
                    <EventSentence summary={event.summary ?? `${event.createdBy}: ${event.type}`} />
                  </span>
                  <Text size="xs" className="quiet tabular">
                    #{count.format(event.id)}
                  </Text>
                </li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      {found.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            loading={found.isFetchingNextPage}
            onClick={() => void found.fetchNextPage()}
          >
            Older events
          </Button>
        </Group>
      )}
    </Stack>
  );
}
