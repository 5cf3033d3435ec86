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
 * How long after its end a day is written. It is final, but a transaction that began before midnight may end later, and
 * clocks of instances differ.
 */
export const graceMs = 10 * 60 * 1000;

/** A statement of this size holds its locks for about 50 ms. */
const batchSize = 2_000;

/** How fast the log is read: a million events take a minute or two. */
interface Pace {
  /** How many ids one statement reads, in about 5 ms. */
  readonly pageIds: number;
  /** After how many ids the progress is stored. */
  readonly stepIds: number;
}

const usualPace: Pace = { pageIds: 2_000, stepIds: 100_000 };

/**
 * After each page the job pauses for four times the page's duration, and at least this long, so that it uses a fifth of
 * one connection.
 */
const minPauseMs = 20;

type SettleServices = Pick<WritingServices, 'readSnapshot' | 'writeDb' | 'clock' | 'stopping'>;

/** The days left to write, newest first, and the state from which the replay continues. */
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

/** Writes the remaining days. Returns false if another instance has taken over, or the server stops. */
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
 * Deletes snapshots of future days, which a clock wrote that has been set back since. One day ahead is kept, because it
 * may come from another instance's clock.
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
 * Writes the snapshots of every project for each finished day without one. A long log is read slowly, and after a
 * restart the work continues where it stopped.
 */
export async function snapshotFinishedDays(
  services: SettleServices,
  pace: Pace = usualPace,
): Promise<void> {
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
