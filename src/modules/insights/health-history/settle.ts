import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../platform/db/database.ts';
import type { WritingServices } from '../../../platform/module.ts';
import { addDays, dayOf, listDays } from './days.ts';
import { listBeginnings, pagesBack, readLogBounds, readPresent } from './queries/past.ts';
import {
  deleteSnapshotsBehind,
  findSettling,
  insertSnapshots,
  type Snapshot,
  updateBackfill,
  updateSettledDay,
} from './queries/snapshots.ts';
import { reachable, snapshotsAt } from './reconstruct.ts';
import { createReplay, type Present } from './replay.ts';
import { type Backfill, presentOf, storedPresent } from './stored-replay.ts';

/** How far back days are told that nobody looked at. */
const maxDays = 365;

/**
 * What is written stays. Who began before midnight may end behind it, and the clocks of instances differ: so
 * long after its end nothing more comes to a day.
 */
export const graceMs = 10 * 60 * 1000;

/** One statement holds its locks for some 50 ms at this size. */
const batchSize = 2_000;

/** How fast the log is gone through: a million events take a minute or two. */
interface Pace {
  /** Ids that one statement looks at: some 5 ms. */
  readonly pageIds: number;
  /** After so many it is stored how far the work has come. */
  readonly stepIds: number;
}

const usualPace: Pace = { pageIds: 2_000, stepIds: 100_000 };

/** Behind each page there is at least this, and four times what it took: a fifth of one connection is used. */
const leastPauseMs = 20;

type Settling = Pick<WritingServices, 'readSnapshot' | 'writeDb' | 'clock' | 'stopping'>;

/** What there is to do: days between two, newest first, from a state behind which everything is undone. */
interface Work extends Omit<Backfill, 'present'> {
  readonly present: Present;
}

async function begin(db: Db, through: string, settled: string | undefined): Promise<Work> {
  const earliest = addDays(through, 1 - maxDays);
  const next = settled === undefined ? earliest : addDays(settled, 1);
  const { head: upTo } = await readLogBounds(db, through);
  const from = next > earliest ? next : earliest;
  return { through, from, next: through, upTo, present: await readPresent(db) };
}

/** Does what is left of a piece of work. False: somebody else has gone on with it, or the server stops. */
async function carryOn(
  { writeDb, clock, stopping }: Settling,
  work: Work,
  step: { now: number },
  { pageIds, stepIds }: Pace,
): Promise<boolean> {
  const { through, from, present } = work;
  const now = clock().getTime();
  const replay = createReplay(present);
  const ended = reachable(listDays(from, work.next), await readLogBounds(writeDb, work.next));
  const projects = await listBeginnings(writeDb);
  let snapshots: Snapshot[] = [];
  let { upTo } = work;
  let sinceStep = 0;
  let sincePause = 0;

  const write = async () => {
    for (let first = 0; first < snapshots.length; first += batchSize) {
      await insertSnapshots(writeDb, snapshots.slice(first, first + batchSize));
    }
    snapshots = [];
  };

  for (const { day, lastId } of ended) {
    while (upTo > lastId) {
      if (stopping.aborted) return false;
      const began = performance.now();
      const after = Math.max(lastId, upTo - pageIds);
      for await (const events of pagesBack(writeDb, { after, upTo, size: pageIds })) {
        events.forEach(replay.undo);
      }
      sinceStep += upTo - after;
      sincePause += upTo - after;
      upTo = after;
      if (sincePause >= pageIds) {
        sincePause = 0;
        const ms = Math.max(leastPauseMs, 4 * (performance.now() - began));
        await pause(ms, undefined, { ref: false, signal: stopping }).catch(() => undefined);
      }
      if (sinceStep >= stepIds) {
        sinceStep = 0;
        await write();
        const reached = { through, from, next: day, upTo, present: storedPresent(present) };
        if (!(await updateBackfill(writeDb, step.now, reached))) return false;
        step.now += 1;
      }
    }
    snapshots.push(...snapshotsAt(replay, projects, { day, now }));
    if (snapshots.length >= batchSize) await write();
  }
  await write();
  return updateSettledDay(writeDb, step.now, through);
}

/**
 * Days that are not over yet were written by a clock that has been set back since, as they were not. They are written
 * anew when they are over. One day ahead is only the clock of another instance.
 */
async function findPlausible(db: Settling['writeDb'], last: string) {
  const settling = await findSettling(db);
  const { settled = '', backfill } = settling;
  const ahead = addDays(last, 1);
  if (settled <= ahead && (backfill?.through ?? '') <= ahead) return settling;
  await deleteSnapshotsBehind(db, last);
  return findSettling(db);
}

/**
 * Writes down how every project stood at the end of each day that is over and was not written down yet. A long log is
 * gone through slowly, and a restart goes on where the work was.
 */
export async function settleDays(services: Settling, pace: Pace = usualPace): Promise<void> {
  const { readSnapshot, writeDb, clock } = services;
  const last = addDays(dayOf(clock().getTime() - graceMs), -1);
  for (;;) {
    const { settled, step, backfill } = await findPlausible(writeDb, last);
    if (!backfill && settled !== undefined && settled >= last) return;
    const work = backfill
      ? { ...backfill, present: presentOf(backfill.present) }
      : await readSnapshot((db) => begin(db, last, settled));
    if (!(await carryOn(services, work, { now: step }, pace))) return;
  }
}
