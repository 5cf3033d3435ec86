import {
  graceMs,
  snapshotFinishedDays,
} from '../../src/modules/insights/health-history/snapshots/finished-days.ts';
import { createReadSnapshot } from '../../src/platform/db/database.ts';
import type { TestApp } from './app.ts';

/** Runs the job of an instance at a given time. */
export const settleAt = (
  { db }: Pick<TestApp, 'db'>,
  now: number,
  { betweenReadingAndWriting = async () => {} } = {},
): Promise<void> =>
  snapshotFinishedDays({
    readSnapshot: async (read) => {
      const result = await createReadSnapshot(db)(read);
      await betweenReadingAndWriting();
      return result;
    },
    writeDb: db,
    clock: () => new Date(now),
    stopping: new AbortController().signal,
  });

/** Writes the snapshots of finished days, as the job does after the grace period. */
export const settle = (app: Pick<TestApp, 'db'>, now: number): Promise<void> =>
  settleAt(app, now + graceMs);
