import type { Response } from '../../api.ts';

type Day = Response<'GET /api/admin/projects/:projectId/health-history'>['days'][number];
type Page = Pick<Response<'GET /api/admin/search/events'>, 'events' | 'nextCursor'>;
type LogEvent = Page['events'][number];

/** The events that can change a health. */
export const movingTypes = [
  'feature-created',
  'feature-archived',
  'feature-revived',
  'feature-stale-on',
  'feature-stale-off',
  'feature-potentially-stale-on',
  'feature-project-change',
  'feature-metadata-updated',
  'features-imported',
] as const;

/** A day on which the health changed. */
export interface Move {
  readonly day: string;
  readonly before: number;
  readonly after: number;
  /** The oldest first. */
  readonly events: readonly LogEvent[];
  /** Not all of its events were read. */
  readonly isCut: boolean;
}

/** Of what is known of a feature, its type and its review decide when it is too old. */
const decides = ({ type, data, preData }: LogEvent): boolean =>
  type !== 'feature-metadata-updated' ||
  ['type', 'review'].some(
    (key) => JSON.stringify(data?.[key] ?? null) !== JSON.stringify(preData?.[key] ?? null),
  );

/** The days on which the health changed, the newest first, each with what happened on it. Days are UTC days; up to `cutOn`, not all events were read. */
export function movesOf(days: readonly Day[], events: readonly LogEvent[], cutOn = ''): Move[] {
  const moving = events.filter(decides);
  /** A lifetime that ends shortly before midnight is recorded on the next day, on which nothing else changed. */
  const late = (place: number): LogEvent[] => {
    const [today, next] = [days[place], days[place + 1]];
    if (!today || !next || next.health !== today.health) return [];
    return moving
      .filter(
        ({ type, createdAt }) =>
          type === 'feature-potentially-stale-on' && createdAt.startsWith(next.day),
      )
      .sort((a, b) => a.id - b.id);
  };
  return days
    .flatMap(({ day, health }, place): Move[] => {
      const before = days[place - 1]?.health;
      if (before === undefined || before === health) return [];
      const happened = moving
        .filter(({ createdAt }) => createdAt.startsWith(day))
        .sort((a, b) => a.id - b.id);
      const reached = happened.length > 0 ? happened : late(place);
      return [{ day, before, after: health, events: reached, isCut: day <= cutOn }];
    })
    .reverse();
}

export interface MovingEvents {
  readonly events: Page['events'];
  /** Of this day and those before, not all events were read; undefined if all were. */
  readonly cutOn?: string;
}

/** Few projects have more events of these types within a year, and no one reads 5,000. */
const maxPages = 5;

/** Reads page after page, the newest first, and says where it stopped. */
export async function gather(
  readPage: (cursor: string | undefined) => Promise<Page>,
): Promise<MovingEvents> {
  const events: Page['events'] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const found = await readPage(cursor);
    events.push(...found.events);
    cursor = found.nextCursor;
    if (cursor === undefined) return { events };
  }
  return { events, cutOn: events.at(-1)?.createdAt.slice(0, 10) ?? '' };
}
