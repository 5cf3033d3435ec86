import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testActor } from '../../../../test/support/app.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { addProjects } from '../../../../test/support/projects.ts';
import { transactOn } from '../../../app/transact.ts';
import type { Database, Db } from '../../../platform/db/database.ts';
import { defineEvent, record } from '../index.ts';
import { listCreators } from '../queries.ts';
import { limitToVisible, parseSearch, type SearchQuery } from './filter.ts';
import { createSearch } from './search.ts';

/**
 * The rows that a search reads, as counted by PostgreSQL, which is the same on every machine. The log has more hits
 * than are cached: 20 projects in turn, every fourth event of one type, a rare text, twelve events without a project.
 */
const projects = Array.from({ length: 20 }, (_, nth) => `p${nth}`);
const events = 24_000;

const types = ['feature-created', 'feature-updated', 'tag-created', 'project-updated'] as const;
const definitions = types.map((type) =>
  defineEvent<object>({ type, label: type, summary: ({ user }) => user }),
);

/** Each of the three words is common, but rarely all of them together. */
const noteOf = (nth: number): string =>
  nth % 1_000 === 77
    ? 'a needle in it'
    : `release ${nth}${nth % 3 ? '' : ' orchard'}${nth % 4 ? '' : ' lantern'}${nth % 5 ? '' : ' meadow'}`;

const readers = {
  'who sees all projects': projects,
  'who sees all but one of twenty projects': projects.slice(1),
  'who sees one of twenty projects': projects.slice(7, 8),
};

/** Without a server, because its transactions would prevent vacuum from removing rows. */
let db: Kysely<Database>;

beforeAll(async () => {
  ({ db } = await testDatabase());
  const transact = transactOn(db);
  await addProjects(db, ...projects);
  const actors = [7, 8, 9].map((id) => ({ ...testActor, id, name: `author-${id}` }));
  for (let from = 0; from < events; from += 1_000) {
    const actor = actors[(from / 1_000) % 3] ?? testActor;
    await transact(actor, async (tx) => {
      for (let nth = from; nth < from + 1_000; nth += 1) {
        const draft = definitions[nth % 4]?.({
          project: nth % 2_000 === 0 ? null : (projects[nth % 20] as string),
          featureName: `feature-${nth % 200}`,
          environment: nth % 3 === 0 ? 'production' : 'development',
          data: { note: noteOf(nth) },
        });
        if (draft) record(tx, draft);
      }
    });
  }
  await sql`vacuum (analyze) events, event_texts, event_side_texts, projects`.execute(db);
});

/** Index entries and table rows of the log that were read. This does not depend on vacuum. */
const readUpToNow = async (from: Db): Promise<number> => {
  const { rows } = await sql<{ read: number }>`
    select (select sum(pg_stat_get_xact_tuples_returned(c.oid)) from pg_class c
      where c.relkind in ('r', 'i') and c.relname like 'event%') as read`.execute(from);
  return Number(rows[0]?.read);
};

async function readsOf(work: (from: Db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`select set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx);
    const before = await readUpToNow(tx);
    await work(tx);
    return (await readUpToNow(tx)) - before;
  });
}

const first = (query: SearchQuery, sees: readonly string[] | 'all') =>
  readsOf(async (from) => {
    const search = createSearch(from, (work) => work(from));
    const { filter, paging } = parseSearch(query);
    const visible = limitToVisible(filter, sees === 'all' ? 'all' : new Set(sees));
    await search.page(visible, paging, { ip: false, proof: false });
  });

describe.each(Object.entries(readers))('a reader %s', (_who, sees) => {
  test.each<[string, SearchQuery]>([
    ['no filter', {}],
    ['a type', { type: 'IS:feature-updated' }],
    ['a creator', { createdBy: 'IS:8' }],
    ['an environment', { environment: 'IS:production' }],
    ['a feature', { feature: 'IS:feature-27' }],
    ['a rare text', { query: 'needle' }],
  ])(
    'reads about as much as an administrator for the first search with %s',
    async (_what, query) => {
      const administrator = await first(query, 'all');
      const reader = await first(query, sees);
      // Further reads: a page, whether the projects are rare, the names of projects.
      expect(reader).toBeLessThan(2 * administrator + 3_000);
    },
  );

  test('reads each text at most twice for the first search of a common word', async () => {
    expect(await first({ query: 'release' }, sees)).toBeLessThan(3 * events);
  });
});

test('listing creators does not read hidden events', async () => {
  const read = await readsOf((from) => listCreators(from, new Set(['p3'])));
  expect(read).toBeLessThan(200);
});

test('a search for common words that rarely occur together does not read every text', async () => {
  expect(await first({ query: 'orchard lantern meadow' }, 'all')).toBeLessThan(events / 8);
});
