import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { Tag } from './tag-schema.ts';

const selectTags = (db: Db) =>
  db.selectFrom('tags').select(['type', 'value']).orderBy('type').orderBy('value');

/** Tags created for all projects, or for a visible one, or used in a visible one. */
const selectVisible = (db: Db, sees: Actor['sees']) =>
  selectTags(db).$if(sees !== 'all', (query) =>
    query.where(sql<boolean>`(tags.born_in is null or tags.born_in = any(${[...sees]}::text[])
      or exists (
        select from feature_tags tag join features on features.name = tag.feature_name
        where tag.type = tags.type and tag.value = tags.value
          and features.project = any(${[...sees]}::text[])
      ))`),
  );

export const listTags = (db: Db, sees: Actor['sees']): Promise<Tag[]> =>
  selectVisible(db, sees).execute();

export const listTagsOfType = (db: Db, type: string, sees: Actor['sees']): Promise<Tag[]> =>
  selectVisible(db, sees).where('type', '=', type).execute();

export const findTag = (
  db: Db,
  { type, value }: Tag,
  sees: Actor['sees'],
): Promise<Tag | undefined> =>
  selectVisible(db, sees).where('type', '=', type).where('value', '=', value).executeTakeFirst();

/** Two arrays instead of single values: a large import would exceed the parameters of a statement. */
const listOf = (tags: readonly Tag[]) => sql`unnest(
  ${tags.map(({ type }) => type)}::text[],
  ${tags.map(({ value }) => value)}::text[])`;

/** Locks the existing tags against deletion until the transaction ends. */
export const lockTagsInUse = (tx: Tx, tags: readonly Tag[]): Promise<Tag[]> =>
  selectTags(tx.db)
    .where(sql<boolean>`(type, value) in (select * from ${listOf(tags)})`)
    .forKeyShare()
    .execute();

export const lockTagToDelete = (tx: Tx, { type, value }: Tag): Promise<Tag | undefined> =>
  tx.db
    .selectFrom('tags')
    .where('type', '=', type)
    .where('value', '=', value)
    .select(['type', 'value'])
    .forUpdate()
    .executeTakeFirst();

/** Locks the tags of a type that no other transaction is adding to a feature. */
export const lockIdleTags = (tx: Tx, type: string): Promise<Tag[]> =>
  selectTags(tx.db).where('type', '=', type).forUpdate().skipLocked().execute();

/** Returns the tags that did not exist. */
export const insertTags = (tx: Tx, tags: readonly Tag[], project?: string): Promise<Tag[]> =>
  tx.db
    .insertInto('tags')
    .columns(['type', 'value', 'created_at', 'born_in'])
    .expression(
      sql`select *, ${tx.now}::timestamptz, ${project ?? null}::text from ${listOf(tags)}`,
    )
    .onConflict((conflict) => conflict.columns(['type', 'value']).doNothing())
    .returning(['type', 'value'])
    .execute();

/** Makes a tag visible to everyone. Returns whether the tag exists. */
export async function updateTagShared(tx: Tx, { type, value }: Tag): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('tags')
    .set({ born_in: null })
    .where('type', '=', type)
    .where('value', '=', value)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const updateTagsBornIn = (tx: Tx, project: string, born_in: string | null) =>
  tx.db.updateTable('tags').set({ born_in }).where('born_in', '=', project).execute();

export const deleteTag = (tx: Tx, { type, value }: Tag) =>
  tx.db.deleteFrom('tags').where('type', '=', type).where('value', '=', value).execute();

export const deleteTagsOfType = (tx: Tx, type: string) =>
  tx.db.deleteFrom('tags').where('type', '=', type).execute();
