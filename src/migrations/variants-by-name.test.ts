import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { make } from '../../test/support/make.ts';
import { strategyVariant } from '../../test/support/variants.ts';
import type { Database } from '../platform/db/database.ts';
import { migrations } from './index.ts';

/** Sorted as people expect it: neither by code point nor by the collation of the database. */
const inOrder = ['(x)', '1', '10', '2', 'a', 'A', 'ä', 'b', 'B', 'é', 'z', 'Ω', '日'];
const mixedUp = ['z', 'B', '10', 'a', '日', 'é', 'A', '2', 'ä', '(x)', 'Ω', 'b', '1'];

const weighted = (names: readonly string[]) =>
  names.map((name) => strategyVariant(name, { weight: 70 + inOrder.indexOf(name) }));

const namesIn = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

/** Stores the variants as an older version did. */
async function store(db: Kysely<Database>): Promise<void> {
  const variants = JSON.stringify(weighted(mixedUp));
  await sql`update feature_strategies set variants = ${variants}::json`.execute(db);
  await sql`update feature_environments set variants = ${variants}::json`.execute(db);
  const strategy = { name: 'flexibleRollout', variants: weighted(mixedUp), title: 'By default' };
  await sql`
    update project_environments set default_strategy = ${JSON.stringify(strategy)}::json
    where environment = 'development'`.execute(db);
}

test('a migration sorts stored variants by name, and changes nothing the second time', async () => {
  const app = await testApp();
  const create = make(app.ask);
  await create.feature('varied');
  await create.strategy('varied');
  await create.variants('varied', [strategyVariant('only')]);
  await create.feature('bare');
  await create.strategy('bare');
  await store(app.db);
  const up = async () => migrations['0037-variants-by-name']?.up(app.db);
  await up();

  const all = async () => {
    const strategies = await app.db.selectFrom('feature_strategies').select('variants').execute();
    const states = await app.db.selectFrom('feature_environments').select('variants').execute();
    const defaults = await app.db
      .selectFrom('project_environments')
      .where('default_strategy', 'is not', null)
      .select('default_strategy')
      .execute();
    return {
      lists: [...strategies, ...states].map(({ variants }) => variants),
      defaults: defaults.map(({ default_strategy }) => default_strategy),
    };
  };
  const { lists, defaults } = await all();
  expect(lists.map(namesIn)).toEqual([inOrder, inOrder, inOrder]);
  // Each variant keeps its weight and other properties.
  expect(lists[0]).toEqual(weighted(inOrder));
  expect(defaults).toEqual([
    { name: 'flexibleRollout', variants: weighted(inOrder), title: 'By default' },
  ]);
  await up();
  expect(await all()).toEqual({ lists, defaults });
});

test('a migration sorts more variants than one batch contains', async () => {
  const app = await testApp();
  await make(app.ask).feature('many');
  const variants = JSON.stringify(weighted(['b', 'a']));
  await sql`
    insert into feature_strategies
      (id, feature_name, environment, name, disabled, sort_order, parameters, constraints, variants, created_at)
    select 'strategy-' || n, 'many', 'development', 'flexibleRollout', false, n, '{}', '[]', ${variants}::json, now()
    from generate_series(1, 1201) n`.execute(app.db);
  await migrations['0037-variants-by-name']?.up(app.db);
  const rows = await app.db.selectFrom('feature_strategies').select('variants').execute();
  expect(new Set(rows.map(({ variants: each }) => namesIn(each).join()))).toEqual(new Set(['a,b']));
});
