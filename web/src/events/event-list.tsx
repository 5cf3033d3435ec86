import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { read } from '../queries.ts';
import { ActorAvatar } from '../ui/avatar.tsx';
import { exactTime, timeText } from '../ui/dates.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Problem } from '../ui/problem.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { EventSentence } from './event-sentence.tsx';
import { EventTone } from './event-tone.tsx';
import classes from './events.module.css';
import type { EventParameters } from './query/translate.ts';
import { dayText } from './times.ts';

interface Props {
  readonly query: EventParameters;
  readonly limit?: number;
}

/** The newest events, by day. */
export function EventList({ query, limit = 15 }: Props) {
  const found = useQuery({
    ...read('GET /api/admin/search/events', { query: { ...query, limit: String(limit) } }),
    placeholderData: keepPreviousData,
  });
  if (found.isPending) return <Waiting />;
  if (found.isError) return <Problem error={found.error} />;
  const { events } = found.data;
  if (events.length === 0) {
    return <EmptyState title="No activity yet">Changes show up here as they happen.</EmptyState>;
  }
  const days = Map.groupBy(events, ({ createdAt }) => dayText(createdAt));
  return (
    <div className="card">
      {[...days].map(([name, ofDay]) => (
        <section key={name} aria-label={name}>
          <Text className={classes.day}>{name}</Text>
          <ol className={classes.plain}>
            {ofDay.map((event) => (
              <li key={event.id} className={classes.row} data-still>
                <time
                  className={classes.time}
                  dateTime={event.createdAt}
                  title={exactTime(event.createdAt)}
                >
                  {timeText(event.createdAt)}
                </time>
                <EventTone type={event.type} />
                <div className={classes.what}>
                  <ActorAvatar id={event.createdByUserId} /> <EventSentence event={event} />
                </div>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}
