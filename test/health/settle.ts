import { graceMs, settleDays } from '../../src/modules/insights/health-history/settle.ts';
import { createReadSnapshot } from '../../src/platform/db/database.ts';
import type { TestApp } from '../support/app.ts';

/** Writes down the days that have ended for good at an instant, as the job of an instance does. */
export const settleAt = (
  { db }: Pick<TestApp, 'db'>,
  now: number,
  { betweenReadingAndWriting = async () => {} } = {},
): Promise<void> =>
  settleDays({
    readSnapshot: async (read) => {
      const result = await createReadSnapshot(db)(read);
      await betweenReadingAndWriting();
      return result;
    },
    writeDb: db,
    clock: () => new Date(now),
    stopping: new AbortController().signal,
  });

/** Writes down the days that are over at an instant, as soon as that is done. */
export const settle = (on: Pick<TestApp, 'db'>, now: number): Promise<void> =>
  settleAt(on, now + graceMs);
