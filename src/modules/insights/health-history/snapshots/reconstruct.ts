import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../../../platform/db/database.ts';
import { endOf } from '../days.ts';
import { listProjectCreations, pagesBack, readLogBounds, readPresent } from './past-queries.ts';
import type { Snapshot } from './queries.ts';
import { type Counts, createReplay, type Replay } from './replay.ts';

/** A snapshot taken within this time after the end of its day does not count as reconstructed. */
const punctualMs = 60 * 60 * 1000;

const noFeatures: Counts = { total: 0, stale: 0, potentiallyStale: 0, health: 100 };

export interface EndedDay {
  readonly day: string;
  /** The id of the last event before the day ended. */
  readonly lastId: number;
}

/**
 * Lists the days whose end is within the stored log, newest first. Events are ordered by id: around midnight their
 * times can differ slightly from that order.
 */
export function reachable(
  days: readonly string[],
  log: { readonly anchor: number; readonly days: readonly EndedDay[] },
): EndedDay[] {
  const ended: EndedDay[] = [];
  let index = 0;
  let lastId = 0;
  for (const day of days) {
    for (let next = log.days[index]; next && next.day <= day; next = log.days[index]) {
      lastId = Math.max(lastId, next.lastId);
      index += 1;
    }
    if (lastId >= log.anchor) ended.push({ day, lastId });
  }
  return ended.reverse();
}

/** Returns snapshots of projects at the end of a day, to which the replay has gone back. */
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
      ...{ project, day, ...(counted.get(project) ?? noFeatures) },
      reconstructed: now - end > punctualMs,
    }));
}

/** Returns snapshots of a project at the end of each day: the present state, with all later events undone. */
export async function reconstruct(
  db: Db,
  days: readonly string[],
  { now, project }: { readonly now: number; readonly project: string },
): Promise<Snapshot[]> {
  const log = await readLogBounds(db, days.at(-1) as string);
  const ended = reachable(days, log);
  const oldest = ended.at(-1);
  if (!oldest) return [];
  const projects = await listProjectCreations(db, project);
  const replay = createReplay(await readPresent(db, { project, since: oldest.lastId }));
  const snapshots: Snapshot[] = [];
  let upTo = log.head;
  for (const { day, lastId } of ended) {
    for await (const events of pagesBack(db, { after: lastId, upTo })) {
      events.forEach(replay.undo);
    }
    upTo = Math.min(upTo, lastId);
    snapshots.push(...snapshotsAt(replay, projects, { day, now }));
    // A day of 50,000 features takes 4 ms. Other requests are served in between.
    await setImmediate();
  }
  return snapshots;
}
