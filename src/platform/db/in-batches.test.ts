import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/support/database.ts';
import type { Database } from './database.ts';
import { deleteInBatches } from './in-batches.ts';

/** Returns how many rows each statement deleted. */
async function countingDeletions(db: Kysely<Database>): Promise<() => Promise<number[]>> {
  await sql`create table deletions (nth serial, count integer)`.execute(db);
  await sql`create function count_deletions() returns trigger language plpgsql as $$
    begin insert into deletions (count) select count(*) from gone; return null; end $$`.execute(db);
  await sql`create trigger counted after delete on sign_in_attempts referencing old table as gone
    for each statement execute function count_deletions()`.execute(db);
  return async () =>
    (await sql<{ count: number }>`select count from deletions order by nth`.execute(db)).rows.map(
      ({ count }) => count,
    );
}

test('a deletion in batches deletes only matching rows', async () => {
  const { db } = await testDatabase();
  const counts = await countingDeletions(db);
  await db
    .insertInto('sign_in_attempts')
    .columns(['key', 'window_start', 'count'])
    .expression(
      sql`select 'key ' || nth, timestamptz '2026-01-01' + nth * interval '1 day', 1 from generate_series(1, 10) nth`,
    )
    .execute();
  await deleteInBatches(db, 'sign_in_attempts', sql`window_start < '2026-01-09'`, 3);
  expect(await counts()).toEqual([3, 3, 1]);
  expect(await db.selectFrom('sign_in_attempts').select('key').execute()).toHaveLength(3);
});
