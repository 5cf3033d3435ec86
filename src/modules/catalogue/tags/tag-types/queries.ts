import { type Selectable, sql } from 'kysely';
import type { Actor } from '../../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import type { TagType, UsedTagType } from './contract.ts';

const columns = ['name', 'description', 'icon', 'color'] as const;

type Row = Pick<Selectable<Database['tag_types']>, (typeof columns)[number]>;

const tagTypeOf = ({ name, description, icon, color }: Row): TagType => ({
  name,
  description,
  ...(icon !== null && { icon }),
  ...(color !== null && { color }),
});

/** The columns that can be changed. */
const changeable = ({ description, icon, color }: TagType) => ({
  description,
  icon: icon ?? null,
  color: color ?? null,
});

export async function listTagTypes(db: Db): Promise<TagType[]> {
  const rows = await db.selectFrom('tag_types').select(columns).orderBy('name').execute();
  return rows.map(tagTypeOf);
}

export async function listUsedTagTypes(db: Db, sees: Actor['sees']): Promise<UsedTagType[]> {
  const rows = await db
    .selectFrom('tag_types')
    .leftJoin(
      db
        .selectFrom('feature_tags as tag')
        .innerJoin('features', 'features.name', 'tag.feature_name')
        .$if(sees !== 'all', (query) =>
          query.where(sql<boolean>`features.project = any(${[...sees]}::text[])`),
        )
        .select(['tag.type', sql<number>`count(distinct features.name)::int`.as('features')])
        .groupBy('tag.type')
        .as('usage'),
      'usage.type',
      'tag_types.name',
    )
    .select(columns)
    .select(sql<number>`coalesce(usage.features, 0)`.as('usedInFeatures'))
    .orderBy('name')
    .execute();
  return rows.map(({ usedInFeatures, ...row }) => ({ ...tagTypeOf(row), usedInFeatures }));
}

/** Which of the names are existing tag types. */
export async function listKnownTypes(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('tag_types')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select('name')
    .execute();
  return rows.map(({ name }) => name);
}

export async function findTagType(db: Db, name: string): Promise<TagType | undefined> {
  const row = await db
    .selectFrom('tag_types')
    .where('name', '=', name)
    .select(columns)
    .executeTakeFirst();
  return row && tagTypeOf(row);
}

const locks = { change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

export async function lockTagType(
  tx: Tx,
  name: string,
  purpose: keyof typeof locks,
): Promise<TagType | undefined> {
  const row = await tx.db
    .selectFrom('tag_types')
    .where('name', '=', name)
    .select(columns)
    [locks[purpose]]()
    .executeTakeFirst();
  return row && tagTypeOf(row);
}

/** Returns whether it was inserted: not if the name is taken. */
export async function insertTagType(tx: Tx, type: TagType): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('tag_types')
    .values({ name: type.name, ...changeable(type), created_at: tx.now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst();
  return inserted !== undefined;
}

export const updateTagType = (tx: Tx, type: TagType) =>
  tx.db.updateTable('tag_types').set(changeable(type)).where('name', '=', type.name).execute();

export const deleteTagType = (tx: Tx, name: string) =>
  tx.db.deleteFrom('tag_types').where('name', '=', name).execute();

/** Features with a tag of this type, archived ones too: they can be revived with it. */
export const listFeaturesUsing = (db: Db, type: string) =>
  db
    .selectFrom('features')
    .where((where) =>
      where.exists(
        where
          .selectFrom('feature_tags as used')
          .whereRef('used.feature_name', '=', 'features.name')
          .where('used.type', '=', type),
      ),
    )
    .select(['name', 'project', 'archived_at as archivedAt'])
    .orderBy('name')
    .execute();
