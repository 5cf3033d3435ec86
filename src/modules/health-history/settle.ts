import type { WritingServices } from '../../platform/module.ts';
import { addDays, dayOf, listDays } from './days.ts';
import {
  deleteSnapshotsBehind,
  findSettledDay,
  insertSnapshots,
  updateSettledDay,
} from './queries/snapshots.ts';
import { reconstruct } from './reconstruct.ts';

/** How far back days are told that nobody looked at. */
const maxDays = 365;

/**
 * What is written stays. Who began before midnight may end behind it, and the clocks of instances differ: so
 * long after its end nothing more comes to a day.
 */
export const graceMs = 10 * 60 * 1000;

/** One statement holds its locks for some 50 ms at this size. */
const batchSize = 2_000;

type Settling = Pick<WritingServices, 'readSnapshot' | 'writeDb' | 'clock' | 'stopping'>;

/**
 * Days that are not over yet were written by a clock that has been set back since, as they were not. They are written
 * anew when they are over. One day ahead is only the clock of another instance.
 */
async function plausibleSettledDay(db: Settling['writeDb'], last: string) {
  const settled = await findSettledDay(db);
  if (settled === undefined || settled <= addDays(last, 1)) return settled;
  await deleteSnapshotsBehind(db, last);
  return last;
}

/** Writes down how every project stood at the end of each day that is over and was not written down yet. */
export async function settleDays(services: Settling): Promise<void> {
  const { readSnapshot, writeDb, clock, stopping } = services;
  const now = clock().getTime();
  const last = addDays(dayOf(now - graceMs), -1);
  const settled = await plausibleSettledDay(writeDb, last);
  if (settled !== undefined && settled >= last) return;
  const earliest = addDays(last, 1 - maxDays);
  const next = settled === undefined ? earliest : addDays(settled, 1);
  const days = listDays(next > earliest ? next : earliest, last);
  const snapshots = await readSnapshot((db) => reconstruct(db, days, { now, stopping }));
  if (!snapshots) return;
  for (let first = 0; first < snapshots.length; first += batchSize) {
    await insertSnapshots(writeDb, snapshots.slice(first, first + batchSize));
  }
  await updateSettledDay(writeDb, last);
}
