import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';
import { closeLater } from '../../../../../test/support/closing.ts';
import { make } from '../../../../../test/support/make.ts';
import { createReadSnapshot, type Database } from '../../../../platform/db/database.ts';
import { snapshotFinishedDays } from './finished-days.ts';

const dayMs = 86_400_000;
const days = 20;

let app: TestApp;
let counted: Kysely<Database>;
let now = Date.now();
/** Called with each statement that reads events. */
let onPage = () => {};

beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  const types = {
    getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)),
  };
  counted = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...app.connection, types }) }),
    log: ({ query }) => {
      if (query.sql.includes('"oldProject"')) onPage();
    },
  });
  closeLater(() => counted.destroy());
  const create = make(app.ask);
  await create.project('watched');
  for (let day = 0; day < days; day += 1) {
    await create.feature(`f-${day}`, { project: 'watched' });
    if (day % 3 === 0) await app.ask(`DELETE /api/admin/projects/watched/features/f-${day}`);
    now += dayMs;
  }
});

/** Runs the job until the server stops it after this many pages. Returns how many it read. */
async function run(mostPages = Number.POSITIVE_INFINITY): Promise<number> {
  const stopping = new AbortController();
  let pages = 0;
  onPage = () => {
    pages += 1;
    if (pages >= mostPages) stopping.abort();
  };
  await snapshotFinishedDays(
    {
      readSnapshot: createReadSnapshot(counted),
      writeDb: counted,
      clock: () => new Date(now),
      stopping: stopping.signal,
    },
    { pageIds: 1, stepIds: 5 },
  );
  return pages;
}

const written = () =>
  app.db.selectFrom('health_snapshots').selectAll().orderBy('day').orderBy('project').execute();

const startOver = async () => {
  await app.db.deleteFrom('health_snapshots').execute();
  await app.db
    .updateTable('health_history')
    .set({ settled_through: null, backfill: null })
    .execute();
};

test('a job that is stopped repeatedly resumes where it was and stores the same history', async () => {
  await startOver();
  const all = await run();
  const history = await written();
  expect(history.length).toBeGreaterThan(days);

  await startOver();
  let pages = 0;
  let runs = 0;
  for (let last = 6; last === 6; runs += 1) {
    last = await run(6);
    pages += last;
  }
  expect(await written()).toEqual(history);
  expect(runs).toBeGreaterThan(3);
  // A stop loses less than one step, which is read again.
  expect(pages).toBeLessThanOrEqual(all + runs * 5);
});

test('the slower of two concurrent jobs stops, and the history is the same', async () => {
  await startOver();
  const all = await run();
  const history = await written();
  await startOver();
  await run(12);
  // Both runs share one counter.
  const [, together] = await Promise.all([run(), run()]);
  expect(await written()).toEqual(history);
  expect(together).toBeLessThan(all + 5);
  expect(await run()).toBe(0);
});
