import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../../test/support/database.ts';
import { happen } from '../../../../test/support/happen.ts';
import { addProjects } from '../../../../test/support/projects.ts';
import { createReadSnapshot, type Database } from '../../../platform/db/database.ts';
import { limitToVisible, parseSearch, type SearchQuery } from './filter.ts';
import { createSearch, type Search } from './search.ts';

/**
 * The statements of the search are in src/modules/events/search/sql/, so that a change of one is visible in the diff.
 */
let db: Kysely<Database>;
let search: Search;
const statements: string[] = [];

/** Counts are numbers, as in the pools of the server. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)),
};

beforeAll(async () => {
  const { connection, db: writer } = await testDatabase();
  await addProjects(writer, 'p');
  await happen(
    writer,
    ...Array.from({ length: 9 }, () => ({ project: 'p', data: { note: 'word' } })),
  );
  db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ ...connection, types, max: 1 }) }),
    log: ({ query }) => {
      statements.push(query.sql);
    },
  });
  search = createSearch(db, createReadSnapshot(db), {
    maxCachedIds: 2,
    maxRareHits: 1,
    deepOffset: 3,
    maxScanned: 2,
  });
});

afterAll(() => db.destroy());

const laidOut = (statement: string) => `${statement.replace(/\s+/g, ' ').trim()};`;

test.each<[string, SearchQuery]>([
  ['newest', {}],
  ['project', { project: 'IS:p' }],
  ['any-of-projects', { project: 'IS_ANY_OF:p,q' }],
  ['days', { project: 'IS:p', from: 'IS:2026-01-01', to: 'IS:2026-01-31' }],
  ['deep', { project: 'IS:p', offset: '5' }],
  ['two-columns', { project: 'IS:p', type: 'IS:feature-created' }],
  ['text', { query: 'word' }],
  ['text-in-project', { query: 'word', project: 'IS:p' }],
  ['text-everywhere', { query: 'word', queryIn: 'data,preData,tags' }],
])('%s', async (name, query) => {
  statements.length = 0;
  const { filter, paging } = parseSearch(query);
  await search.page(filter, paging, { ip: true, proof: false });
  await expect(`${statements.map(laidOut).join('\n\n')}\n`).toMatchFileSnapshot(`sql/${name}.sql`);
});

test.each<[string, SearchQuery]>([
  ['visible-newest', {}],
  ['visible-type', { type: 'IS:feature-created' }],
  ['visible-text', { query: 'word' }],
])('of somebody from whom a project is hidden: %s', async (name, query) => {
  statements.length = 0;
  const { filter, paging } = parseSearch(query);
  await search.page(limitToVisible(filter, new Set(['p'])), paging, { ip: false, proof: false });
  await expect(`${statements.map(laidOut).join('\n\n')}\n`).toMatchFileSnapshot(`sql/${name}.sql`);
});
