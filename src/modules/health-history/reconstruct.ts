import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/db/database.ts';
import { endOf } from './days.ts';
import { listBeginnings, pagesBack, readLogBounds, readPresent } from './queries/past.ts';
import type { Snapshot } from './queries/snapshots.ts';
import { type Counts, createReplay } from './replay.ts';

/** Somebody who looks within this time has seen the day end; whoever comes later reads of it in the log. */
const punctualMs = 60 * 60 * 1000;

const without: Counts = { total: 0, stale: 0, potentiallyStale: 0, health: 100 };

interface EndedDay {
  readonly day: string;
  /** The last event that happened up to its end. */
  readonly lastId: number;
}

/**
 * The days whose end the log still reaches, newest first. Events have an order, which is that of their ids:
 * what clocks say of them can be a little behind it at midnight.
 */
function reachable(
  days: readonly string[],
  log: { readonly anchor: number; readonly days: readonly EndedDay[] },
): EndedDay[] {
  const ended: EndedDay[] = [];
  let place = 0;
  let lastId = 0;
  for (const day of days) {
    for (let next = log.days[place]; next && next.day <= day; next = log.days[place]) {
      lastId = Math.max(lastId, next.lastId);
      place += 1;
    }
    if (lastId >= log.anchor) ended.push({ day, lastId });
  }
  return ended.reverse();
}

interface Question {
  readonly now: number;
  /** Left out: all of them. */
  readonly project?: string;
  readonly stopping?: AbortSignal;
}

/**
 * How projects stood at the end of each of these days; undefined when the server stops meanwhile. The state of
 * the moment, less what happened since, is the state of then: whenever somebody looks.
 */
export async function reconstruct(
  db: Db,
  days: readonly string[],
  { now, project: only, stopping }: Question,
): Promise<Snapshot[] | undefined> {
  const log = await readLogBounds(db, days.at(-1) as string);
  const ended = reachable(days, log);
  const oldest = ended.at(-1);
  if (!oldest) return [];
  const projects = await listBeginnings(db, only);
  const replay = createReplay(
    await readPresent(db, only === undefined ? undefined : { project: only, since: oldest.lastId }),
  );
  const snapshots: Snapshot[] = [];
  let upTo = log.head;
  for (const { day, lastId } of ended) {
    if (stopping?.aborted) return undefined;
    for await (const events of pagesBack(db, { after: lastId, upTo })) {
      events.forEach(replay.undo);
    }
    upTo = Math.min(upTo, lastId);
    const end = endOf(day);
    const counted = replay.countAt(end);
    for (const { id: project, createdAt } of projects) {
      if (createdAt >= end || replay.isArchived(project)) continue;
      const counts = counted.get(project) ?? without;
      snapshots.push({ project, day, ...counts, reconstructed: now - end > punctualMs });
    }
    // A day of 50,000 features takes 4 ms: others get their turn in between.
    await setImmediate();
  }
  return snapshots;
}
