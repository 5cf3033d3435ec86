import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../platform/db/database.ts';
import { endOf } from './days.ts';
import { listBeginnings, pagesBack, readLogBounds, readPresent } from './queries/past.ts';
import type { Snapshot } from './queries/snapshots.ts';
import { type Counts, createReplay, type Replay } from './replay.ts';

/** Somebody who looks within this time has seen the day end; whoever comes later reads of it in the log. */
const punctualMs = 60 * 60 * 1000;

const without: Counts = { total: 0, stale: 0, potentiallyStale: 0, health: 100 };

export interface EndedDay {
  readonly day: string;
  /** The last event that happened up to its end. */
  readonly lastId: number;
}

/**
 * The days whose end the log still reaches, newest first. Events have an order, which is that of their ids:
 * what clocks say of them can be a little behind it at midnight.
 */
export function reachable(
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

/** How these projects stood at the end of a day, to which the replay has gone back. */
export function snapshotsAt(
  replay: Replay,
  projects: readonly { readonly id: string; readonly createdAt: number }[],
  { day, now }: { readonly day: string; readonly now: number },
): Snapshot[] {
  const end = endOf(day);
  const counted = replay.countAt(end);
  return projects
    .filter(({ id, createdAt }) => createdAt < end && !replay.isArchived(id))
    .map(({ id: project }) => ({
      ...{ project, day, ...(counted.get(project) ?? without) },
      reconstructed: now - end > punctualMs,
    }));
}

/**
 * How a project stood at the end of each of these days. The state of the moment, less what happened since, is the
 * state of then: whenever somebody looks.
 */
export async function reconstruct(
  db: Db,
  days: readonly string[],
  { now, project }: { readonly now: number; readonly project: string },
): Promise<Snapshot[]> {
  const log = await readLogBounds(db, days.at(-1) as string);
  const ended = reachable(days, log);
  const oldest = ended.at(-1);
  if (!oldest) return [];
  const projects = await listBeginnings(db, project);
  const replay = createReplay(await readPresent(db, { project, since: oldest.lastId }));
  const snapshots: Snapshot[] = [];
  let upTo = log.head;
  for (const { day, lastId } of ended) {
    for await (const events of pagesBack(db, { after: lastId, upTo })) {
      events.forEach(replay.undo);
    }
    upTo = Math.min(upTo, lastId);
    snapshots.push(...snapshotsAt(replay, projects, { day, now }));
    // A day of 50,000 features takes 4 ms: others get their turn in between.
    await setImmediate();
  }
  return snapshots;
}
