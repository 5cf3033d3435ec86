import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { ContextField, ContextUsage, LegalValue, UsedContextField } from './contract.ts';

const columns = [
  'context_fields.name',
  'context_fields.description',
  'context_fields.stickiness',
  'context_fields.sort_order as sortOrder',
  'context_fields.legal_values as legalValues',
  'context_fields.created_at as createdAt',
] as const;

type Row = Omit<ContextField, 'createdAt'> & { readonly createdAt: Date };

const fieldOf = <R extends Row>({ createdAt, ...field }: R) => ({
  ...field,
  createdAt: createdAt.toISOString(),
});

export async function listContextFields(db: Db): Promise<ContextField[]> {
  const rows = await db
    .selectFrom('context_fields')
    .select(columns)
    .orderBy('sort_order')
    .orderBy('name')
    .execute();
  return rows.map(fieldOf);
}

/**
 * The constraints of active features, with their project, feature and environment. Unfolding JSON takes the time, so
 * strategies whose text cannot contain a match are skipped first.
 */
const selectConstraints = (db: Db, sees: Actor['sees'], field?: string) =>
  db
    .selectFrom('feature_strategies as strategy')
    .innerJoin('features', 'features.name', 'strategy.feature_name')
    .innerJoinLateral(
      sql<{ value: unknown }>`json_array_elements(strategy.constraints)`.as('used'),
      (join) => join.onTrue(),
    )
    .where('features.archived_at', 'is', null)
    .where(
      sql<boolean>`position(${JSON.stringify(field ?? 'contextName')} in strategy.constraints::text) > 0`,
    )
    .$if(sees !== 'all', (query) =>
      query.where(sql<boolean>`features.project = any(${[...sees]}::text[])`),
    );

const contextName = sql<string>`used.value->>'contextName'`;

const selectUsed = (db: Db, sees: Actor['sees'], field?: string) =>
  db
    .selectFrom('context_fields')
    .leftJoin(
      selectConstraints(db, sees, field)
        .select([
          contextName.as('field'),
          sql<number>`count(distinct features.name)::int`.as('features'),
          sql<number>`count(distinct features.project)::int`.as('projects'),
        ])
        .groupBy(contextName)
        .as('usage'),
      'usage.field',
      'context_fields.name',
    )
    .select(columns)
    .select([
      sql<number>`coalesce(usage.features, 0)`.as('usedInFeatures'),
      sql<number>`coalesce(usage.projects, 0)`.as('usedInProjects'),
    ])
    .orderBy('context_fields.sort_order')
    .orderBy('context_fields.name');

export async function listUsedContextFields(
  db: Db,
  sees: Actor['sees'],
): Promise<UsedContextField[]> {
  const rows = await selectUsed(db, sees).execute();
  return rows.map(fieldOf);
}

export async function findUsedContextField(
  db: Db,
  sees: Actor['sees'],
  name: string,
): Promise<UsedContextField | undefined> {
  const row = await selectUsed(db, sees, name)
    .where('context_fields.name', '=', name)
    .executeTakeFirst();
  return row && fieldOf(row);
}

export const listContextUsage = (
  db: Db,
  sees: Actor['sees'],
  field: string,
): Promise<ContextUsage[]> =>
  selectConstraints(db, sees, field)
    .where(contextName, '=', field)
    .select([
      'features.project as projectId',
      'features.name as featureName',
      'strategy.name as strategyName',
      'strategy.id',
      'strategy.environment',
    ])
    // A strategy may use a field several times.
    .distinct()
    .orderBy('features.project')
    .orderBy('features.name')
    .orderBy('strategy.environment')
    .orderBy('strategy.id')
    .execute();

export const hasContextField = async (db: Db, name: string): Promise<boolean> =>
  (await db
    .selectFrom('context_fields')
    .where('name', '=', name)
    .select('name')
    .executeTakeFirst()) !== undefined;

/** The legal values of those fields that have some. */
export async function findLegalValues(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly LegalValue[]>> {
  const rows = await db
    .selectFrom('context_fields')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .where(sql<boolean>`json_array_length(legal_values) > 0`)
    .select(['name', 'legal_values as legalValues'])
    .execute();
  return new Map(rows.map(({ name, legalValues }) => [name, legalValues]));
}

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

export async function lockContextField(
  tx: Tx,
  name: string,
  purpose: keyof typeof locks,
): Promise<ContextField | undefined> {
  const row = await tx.db
    .selectFrom('context_fields')
    .where('name', '=', name)
    .select(columns)
    [locks[purpose]]()
    .executeTakeFirst();
  return row && fieldOf(row);
}

const changeable = (field: Omit<ContextField, 'name' | 'createdAt'>) => ({
  description: field.description,
  stickiness: field.stickiness,
  sort_order: field.sortOrder,
  legal_values: JSON.stringify(field.legalValues),
});

export const insertContextField = (tx: Tx, field: ContextField) =>
  tx.db
    .insertInto('context_fields')
    .values({ name: field.name, ...changeable(field), created_at: new Date(field.createdAt) })
    .execute();

export const updateContextField = (tx: Tx, field: ContextField) =>
  tx.db
    .updateTable('context_fields')
    .set(changeable(field))
    .where('name', '=', field.name)
    .execute();

export const deleteContextField = (tx: Tx, name: string) =>
  tx.db.deleteFrom('context_fields').where('name', '=', name).execute();
