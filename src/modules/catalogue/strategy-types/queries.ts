import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { StrategyParameter } from './contract.ts';

export interface StrategyTypeRow {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly parameters: StrategyParameter[];
  readonly builtIn: boolean;
  readonly deprecated: boolean;
}

const columns = [
  'name',
  'title',
  'description',
  'parameters',
  'built_in as builtIn',
  'deprecated',
] as const;

const selectStrategyTypes = (db: Db) =>
  db.selectFrom('strategy_types').select(columns).orderBy('sort_order').orderBy('name');

export type UsedStrategyTypeRow = StrategyTypeRow & { readonly usedInFeatures: number };

const selectUsed = (db: Db, sees: Actor['sees']) =>
  selectStrategyTypes(db)
    .leftJoin(
      db
        .selectFrom('feature_strategies as strategy')
        .innerJoin('features', 'features.name', 'strategy.feature_name')
        .$if(sees !== 'all', (query) =>
          query.where(sql<boolean>`features.project = any(${[...sees]}::text[])`),
        )
        .select([
          'strategy.name as type',
          sql<number>`count(distinct features.name)::int`.as('features'),
        ])
        .groupBy('strategy.name')
        .as('usage'),
      'usage.type',
      'strategy_types.name',
    )
    .select(sql<number>`coalesce(usage.features, 0)`.as('usedInFeatures'));

export const listStrategyTypes = (db: Db, sees: Actor['sees']): Promise<UsedStrategyTypeRow[]> =>
  selectUsed(db, sees).execute();

export const findStrategyType = (
  db: Db,
  sees: Actor['sees'],
  name: string,
): Promise<UsedStrategyTypeRow | undefined> =>
  selectUsed(db, sees).where('strategy_types.name', '=', name).executeTakeFirst();

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

export const lockStrategyType = (
  tx: Tx,
  name: string,
  purpose: keyof typeof locks,
): Promise<StrategyTypeRow | undefined> =>
  tx.db
    .selectFrom('strategy_types')
    .where('name', '=', name)
    .select(columns)
    [locks[purpose]]()
    .executeTakeFirst();

/** The columns that can be changed. */
const changeable = ({ title, description, parameters, deprecated }: StrategyTypeRow) => ({
  title,
  description,
  parameters: JSON.stringify(parameters),
  deprecated,
});

export const insertStrategyTypes = (
  tx: Tx,
  types: readonly (StrategyTypeRow & { readonly sortOrder: number })[],
) =>
  tx.db
    .insertInto('strategy_types')
    .values(
      types.map((type) => ({
        name: type.name,
        ...changeable(type),
        built_in: type.builtIn,
        sort_order: type.sortOrder,
        created_at: tx.now,
      })),
    )
    .execute();

export const updateStrategyType = (tx: Tx, type: StrategyTypeRow) =>
  tx.db.updateTable('strategy_types').set(changeable(type)).where('name', '=', type.name).execute();

export const deleteStrategyType = (tx: Tx, name: string) =>
  tx.db.deleteFrom('strategy_types').where('name', '=', name).execute();

/** Features with a strategy of this type, archived ones too: they can be revived with it. */
export const listFeaturesUsing = (db: Db, name: string) =>
  db
    .selectFrom('features')
    .where((where) =>
      where.exists(
        where
          .selectFrom('feature_strategies as used')
          .whereRef('used.feature_name', '=', 'features.name')
          .where('used.name', '=', name),
      ),
    )
    .select(['name', 'project', 'archived_at as archivedAt'])
    .orderBy('name')
    .execute();
