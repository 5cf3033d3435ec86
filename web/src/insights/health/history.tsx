import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { EventSentence } from '../../events/event-sentence.tsx';
import { read } from '../../queries.ts';
import { shortDay } from '../../ui/dates.ts';
import { moreText, percent, plural } from '../../ui/format.ts';
import { lazyPart } from '../../ui/lazy-part.ts';
import { PageLink } from '../../ui/link.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './health.module.css';
import { type Move, type MovingEvents, movesOf } from './moves.ts';
import { movingEvents } from './moving-events.ts';
import { periods } from './search.ts';

const HealthChart = lazyPart(() => import('./health-chart.tsx'), 'HealthChart');

const route = getRouteApi('/shell/projects/$projectId/health');

const firstDay = (days: number): string =>
  new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10);

const movesShown = 5;
const eventsShown = 3;

function MoveRow({ move, projectId }: { readonly move: Move; readonly projectId: string }) {
  const { day, before, after, events, isCut } = move;
  const more = events.length - eventsShown;
  return (
    <li className={classes.move}>
      <div className={classes.moveDay}>
        <Text size="sm" component="time" dateTime={day}>
          {shortDay(`${day}T12:00:00`)}
        </Text>
        <Text size="sm" className="tabular" fw={600}>
          {after > before ? '▲' : '▼'} {percent(before)} → {percent(after)}
        </Text>
      </div>
      <div className={classes.findingText}>
        {events.length === 0 && !isCut ? (
          <Text size="sm" className="quiet">
            Features reached the end of their expected lifetime or snooze.
          </Text>
        ) : (
          events.slice(0, eventsShown).map((event) => (
            <Text key={event.id} size="sm" component="div">
              <EventSentence event={event} />
            </Text>
          ))
        )}
        {(more > 0 || isCut) && (
          <PageLink
            to="/projects/$projectId/logs"
            params={{ projectId }}
            search={{ q: `on:${day}` }}
            size="sm"
          >
            {isCut ? 'View all events that day' : moreText(more)}
          </PageLink>
        )}
      </div>
    </li>
  );
}

function Moves({
  moves,
  events,
  projectId,
}: {
  readonly moves: readonly Move[];
  readonly events: MovingEvents;
  readonly projectId: string;
}) {
  const [isAll, setAll] = useState(false);
  if (moves.length === 0) return null;
  return (
    <section aria-label="Score changes" className={classes.moves}>
      <Text size="sm" fw={600} mb={4}>
        Score changes
      </Text>
      <ol className={classes.findings}>
        {(isAll ? moves : moves.slice(0, movesShown)).map((move) => (
          <MoveRow key={move.day} move={move} projectId={projectId} />
        ))}
      </ol>
      {events.cutOn !== undefined && (
        <Text size="sm" className="quiet" mt={4}>
          Based on the latest {plural(events.events.length, 'event')}. For{' '}
          {shortDay(`${events.cutOn}T12:00:00`)} and earlier, see the event log.
        </Text>
      )}
      {moves.length > movesShown && (
        <Button variant="subtle" size="compact-sm" mt={4} onClick={() => setAll(!isAll)}>
          {isAll ? 'Show fewer days' : `Show all ${moves.length} days`}
        </Button>
      )}
    </section>
  );
}

/** The health over time, and the events that changed it. The chart is loaded when it is shown. */
export function History({ projectId }: { readonly projectId: string }) {
  const { days = 90 } = route.useSearch();
  const navigate = route.useNavigate();
  const from = firstDay(days);
  const history = useQuery({
    ...read('GET /api/admin/projects/:projectId/health-history', {
      params: { projectId },
      query: { from },
    }),
    placeholderData: keepPreviousData,
  });
  const events = useQuery({
    ...movingEvents(projectId, from),
    placeholderData: keepPreviousData,
  });
  const moves = movesOf(history.data?.days ?? [], events.data?.events ?? [], events.data?.cutOn);
  return (
    <Section
      title="History"
      aside={
        <SegmentedControl
          size="xs"
          aria-label="Period"
          data={periods.map((period) => ({ value: String(period), label: `${period} days` }))}
          value={String(days)}
          onChange={(value) => {
            const chosen = periods.find((period) => period === Number(value));
            void navigate({
              search: ({ days: _, ...before }) => ({
                ...before,
                ...(chosen && chosen !== 90 && { days: chosen }),
              }),
              replace: true,
              resetScroll: false,
            });
          }}
        />
      }
    >
      <div className={`card ${classes.chart}`}>
        {history.isError ? (
          <Problem error={history.error} />
        ) : !history.data ? (
          <Skeleton h={240} />
        ) : history.data.days.length < 2 ? (
          <Text size="sm" className="quiet">
            Tracking starts today. The chart appears tomorrow.
          </Text>
        ) : (
          <>
            <Suspense fallback={<Skeleton h={240} />}>
              <HealthChart
                days={history.data.days}
                minHealth={history.data.budget.minHealth}
                moved={new Set(moves.map(({ day }) => day))}
              />
            </Suspense>
            {events.data && <Moves moves={moves} events={events.data} projectId={projectId} />}
          </>
        )}
      </div>
    </Section>
  );
}
