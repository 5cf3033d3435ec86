import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { happen } from '../../../../test/support/happen.ts';
import { transactOn } from '../../../app/transact.ts';
import { createSearchPool } from '../../../platform/db/connect.ts';
import { createReadSnapshot, type Database } from '../../../platform/db/database.ts';
import { createLogger } from '../../../platform/log.ts';
import { exportEvents, ndjson } from '../export/export.ts';
import { type Filter, parseSearch } from '../search/filter.ts';
import { createSearch, type Search } from '../search/search.ts';
import { removeOldEvents } from './retention.ts';

let app: TestApp;
let search: Search;
let statements: string[] = [];
beforeAll(async () => {
  app = await testApp();
  const types = {
    getTypeParser: (oid: number) => (oid === 20 ? Number : pg.types.getTypeParser(oid)),
  };
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...app.connection, types }) }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  closeLater(() => db.destroy());
  search = createSearch(db, createReadSnapshot(db));
});

const paging = { order: 'desc', limit: 10, offset: 0, after: undefined } as const;
const shown = { ip: false, proof: false };

const remove = (limit: number) =>
  transactOn(app.db, () => new Date(Date.now() + 86_400_000))(testActor, (tx) =>
    removeOldEvents(tx, 0.5, { limit }),
  );

const rare = (): Filter => parseSearch({ query: 'rare', type: 'IS:feature-created' }).filter;

const total = async (filter: Filter) => (await search.page(filter, paging, shown)).total;

test('removing old events does not repeat the search for known hits', async () => {
  const hit = { data: { note: 'rare' } };
  await happen(app.db, hit, hit, {}, hit);
  expect(await total(rare())).toBe(3);
  const { id } = await app.db
    .selectFrom('events')
    .where('project', 'is', null)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  const { anchor_id: anchor } = await app.db
    .selectFrom('event_log')
    .select('anchor_id')
    .executeTakeFirstOrThrow();
  // Removes the first two hits.
  expect(await remove(id - anchor - 2)).toBe(true);
  statements = [];
  expect(await total(rare())).toBe(1);
  // Only a first count has this statement, because it can use a second core.
  expect(statements.filter((text) => text.includes('max_parallel_workers'))).toEqual([]);
});

test('an export fails if events are removed while it is running', async () => {
  await happen(app.db, ...Array.from({ length: 700 }, () => ({})));
  // Exports use COPY, which needs a pool of the server.
  const readers = createSearchPool(app.connection, createLogger('silent'), 2);
  closeLater(() => readers.destroy());
  const ofReaders = createSearch(readers, createReadSnapshot(readers));
  const all = exportEvents(ofReaders, {}, { ...paging, order: 'asc', limit: 2_000 }, shown, ndjson);
  const read = async () => {
    for await (const _piece of all) await remove(20).catch(() => undefined);
  };
  await expect(read()).rejects.toThrow('rewritten');
});
