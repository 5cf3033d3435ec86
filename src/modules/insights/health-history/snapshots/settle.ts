import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../../platform/db/database.ts';
import type { WritingServices } from '../../../../platform/module.ts';
import { addDays, dayOf, listDays } from '../days.ts';
import { type Backfill, presentOf, storedPresent } from './backfill.ts';
import { listProjectCreations, pagesBack, readLogBounds, readPresent } from './past-queries.ts';
import {
  deleteSnapshotsAfter,
  findProgress,
  insertSnapshots,
  type Snapshot,
  updateBackfill,
  updateSettledDay,
} from './queries.ts';
import { reachable, snapshotsAt } from './reconstruct.ts';
import { createReplay, type Present } from './replay.ts';

/** How far back days are reconstructed from the log. */
const maxDays = 365;

/**
 * A day is written so long after its end, because it is not changed later. A transaction that began before midnight may
 * end after it, and the clocks of instances differ.
 */
export const graceMs = 10 * 60 * 1000;

/** One statement of this size holds its locks for about 50 ms. */
const batchSize = 2_000;

/** How fast the log is read: a million events take a minute or two. */
interface Pace {
  /** Ids that one statement reads, in about 5 ms. */
  readonly pageIds: number;
  /** After so many ids the progress is stored. */
  readonly stepIds: number;
}

const usualPace: Pace = { pageIds: 2_000, stepIds: 100_000 };

/** After each page there is a pause of four times what the page took, and at least this: a fifth of one connection is used. */
const minPauseMs = 20;

type SettleServices = Pick<WritingServices, 'readSnapshot' | 'writeDb' | 'clock' | 'stopping'>;

/** The days that are left to write, newest first, and the state from which the replay goes on. */
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

/** Writes the days that are left. False: another instance has taken over, or the server stops. */
async function writeDays(
  { writeDb, clock, stopping }: SettleServices,
  work: Work,
  step: { now: number },
  { pageIds, stepIds }: Pace,
): Promise<boolean> {
  const { through, from, present } = work;
  const now = clock().getTime();
  const replay = createReplay(present);
  const ended = reachable(listDays(from, work.next), await readLogBounds(writeDb, work.next));
  const projects = await listProjectCreations(writeDb);
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
        const ms = Math.max(minPauseMs, 4 * (performance.now() - began));
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
 * Deletes snapshots of days that are not over yet: a clock that was ahead, and has been set back, wrote them. One day
 * ahead is left, because it may come from the clock of another instance.
 */
async function findPlausibleProgress(db: SettleServices['writeDb'], last: string) {
  const progress = await findProgress(db);
  const { settled = '', backfill } = progress;
  const ahead = addDays(last, 1);
  if (settled <= ahead && (backfill?.through ?? '') <= ahead) return progress;
  await deleteSnapshotsAfter(db, last);
  return findProgress(db);
}

/**
 * Writes the snapshots of every project for each day that is over and not written yet. A long log is read slowly, and
 * after a restart the work goes on where it was.
 */
export async function settleDays(services: SettleServices, pace: Pace = usualPace): Promise<void> {
  const { readSnapshot, writeDb, clock } = services;
  const last = addDays(dayOf(clock().getTime() - graceMs), -1);
  for (;;) {
    const { settled, step, backfill } = await findPlausibleProgress(writeDb, last);
    if (!backfill && settled !== undefined && settled >= last) return;
    const work = backfill
      ? { ...backfill, present: presentOf(backfill.present) }
      : await readSnapshot((db) => begin(db, last, settled));
    if (!(await writeDays(services, work, { now: step }, pace))) return;
  }
}
