import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { randomCases } from '../../../../test/support/random-cases.ts';
import { up as keep } from '../../../migrations/0024-feature-authors.ts';
import { up as gather } from '../../../migrations/0025-reports-of-large-logs.ts';
import type { Database } from '../../../platform/db/database.ts';
import { defineEvent, record } from '../index.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const changed = defineEvent<{ n: number }>({
  type: 'feature-updated',
  label: 'Changed',
  summary: ({ user }) => user,
});
const deleted = defineEvent<{ n: number }>({
  type: 'feature-deleted',
  label: 'Deleted',
  summary: ({ user }) => user,
});

const kept = async (db: Kysely<Database>) =>
  (
    await db
      .selectFrom('feature_authors')
      .select(['feature_name as feature', 'user_id as author', 'first_id as first', 'name'])
      .orderBy('feature_name')
      .orderBy('first_id')
      .execute()
  ).map((row) => ({ ...row }));

/** The same, computed from the events: for each feature those after its last deletion. */
const authorsInLog = async (db: Kysely<Database>) => {
  const { rows } = await sql`
    select e.feature_name as feature, e.created_by_user_id as author, min(e.id) as first, (
      select last.created_by from events last
      where last.id = max(e.id)) as name
    from events e
    where e.feature_name is not null and not exists (
      select from events gone
      where gone.feature_name = e.feature_name and gone.type = 'feature-deleted' and gone.id >= e.id)
    group by e.feature_name, e.created_by_user_id
    order by e.feature_name, min(e.id)`.execute(db);
  return rows;
};

const happening = fc.record({
  feature: fc.constantFrom('one', 'two', 'three'),
  /** Deletions are rarer than changes. */
  define: fc.constantFrom(changed, changed, changed, changed, deleted),
});
const transaction = fc.record({
  id: fc.constantFrom(1, 2, 3),
  name: fc.constantFrom('Ada', 'Ada Lovelace'),
  happenings: fc.array(happening, { minLength: 1, maxLength: 5 }),
});

describe('the collaborators of a feature', () => {
  test('match the log after any sequence of changes, however many are in one transaction', async () => {
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), async (transactions) => {
        for (const { id, name, happenings } of transactions) {
          await app.transact({ ...testActor, id, name }, async (tx) => {
            for (const { feature, define } of happenings) {
              n += 1;
              record(tx, define({ featureName: feature, project: 'default', data: { n } }));
            }
          });
        }
        expect(await kept(app.db)).toEqual(await authorsInLog(app.db));
      }),
      randomCases(8, 200),
    );
    expect(n).toBeGreaterThan(75);
  });

  test('are computed from the log of an installation that did not store them', async () => {
    await app.db.schema.dropTable('feature_authors').execute();
    await sql`
      drop function tell_author(text, bigint, text, bigint);
      drop index events_switched_on_idx;
      create index events_authors_idx on events (feature_name, created_by_user_id, id)`.execute(
      app.db,
    );
    await keep(app.db);
    // Another account records an event in between.
    await app.transact({ ...testActor, id: 1, name: 'Countess' }, async (tx) =>
      record(tx, changed({ featureName: 'one', project: 'default', data: { n: 0 } })),
    );
    await gather(app.db);
    expect(await kept(app.db)).toEqual(await authorsInLog(app.db));
    expect((await kept(app.db)).length).toBeGreaterThan(0);
  });
});
