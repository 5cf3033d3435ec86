import { sql } from 'kysely';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { grouped } from '../../../../platform/grouped.ts';
import type { Tag } from '../tag-schema.ts';

/** A feature whose tags are about to change. */
export interface FeatureWithTags {
  readonly name: string;
  readonly project: string;
  /** Its current tags. */
  readonly tags: readonly Tag[];
}

/**
 * Locks features in the order of their names, so that two writers cannot deadlock. A second statement reads their
 * tags: one that waited for the lock would still see the old ones.
 */
export async function lockFeatures(
  tx: Tx,
  names: readonly string[],
): Promise<(FeatureWithTags & { readonly archivedAt: Date | null })[]> {
  const features = await tx.db
    .selectFrom('features')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select(['name', 'project', 'archived_at as archivedAt'])
    .orderBy('name')
    .forNoKeyUpdate()
    .execute();
  if (features.length === 0) return [];
  const rows = await tx.db
    .selectFrom('feature_tags')
    .where(sql<boolean>`feature_name = any(${features.map(({ name }) => name)}::text[])`)
    .select(['feature_name as featureName', 'type', 'value'])
    .orderBy('type')
    .orderBy('value')
    .execute();
  const tags = grouped(rows, ({ featureName }) => featureName);
  return features.map((feature) => ({
    ...feature,
    tags: (tags.get(feature.name) ?? []).map(({ type, value }) => ({ type, value })),
  }));
}

/** The tags of an active feature; undefined if there is none. */
export async function findTagsOf(db: Db, feature: string): Promise<Tag[] | undefined> {
  const found = await db
    .selectFrom('features')
    .where('name', '=', feature)
    .where('archived_at', 'is', null)
    .select(
      sql<Tag[]>`coalesce((
        select json_agg(json_build_object('type', type, 'value', value) order by type, value)
        from feature_tags where feature_name = features.name), '[]')`.as('tags'),
    )
    .executeTakeFirst();
  return found?.tags;
}

const withTag = (db: Db, { type, value }: Tag) =>
  db
    .selectFrom('feature_tags as tag')
    .innerJoin('features', 'features.name', 'tag.feature_name')
    .where('tag.type', '=', type)
    .where('tag.value', '=', value)
    .orderBy('features.name');

export async function listNamesWith(db: Db, tag: Tag): Promise<string[]> {
  const rows = await withTag(db, tag).select('features.name').execute();
  return rows.map(({ name }) => name);
}

/** The features with a tag, active or archived, with all their tags. */
export const listFeaturesWith = (db: Db, tag: Tag): Promise<FeatureWithTags[]> =>
  withTag(db, tag)
    .select([
      'features.name',
      'features.project',
      sql<Tag[]>`(
        select json_agg(json_build_object('type', type, 'value', value) order by type, value)
        from feature_tags where feature_name = features.name)`.as('tags'),
    ])
    .execute();

export interface FeatureTag {
  readonly feature: string;
  readonly tag: Tag;
}

/** Three arrays instead of single values: a large import would exceed the parameters of a statement. */
const listOf = (rows: readonly FeatureTag[]) => sql`unnest(
  ${rows.map(({ feature }) => feature)}::text[],
  ${rows.map(({ tag }) => tag.type)}::text[],
  ${rows.map(({ tag }) => tag.value)}::text[])`;

/**
 * Adds existing tags to features, and locks the tags against deletion until the transaction ends. Waits for a tag
 * that is being deleted. Returns the added ones.
 */
export async function insertFeatureTags(
  tx: Tx,
  rows: readonly FeatureTag[],
): Promise<FeatureTag[]> {
  const given = await tx.db
    .insertInto('feature_tags')
    .columns(['feature_name', 'type', 'value', 'created_at'])
    .expression(
      sql`select added.*, ${tx.now}::timestamptz
        from ${listOf(rows)} added(feature, type, value) join tags using (type, value)
        order by type, value for key share of tags`,
    )
    .returning(['feature_name as feature', 'type', 'value'])
    .execute();
  return given.map(({ feature, ...tag }) => ({ feature, tag }));
}

export const deleteFeatureTags = (tx: Tx, rows: readonly FeatureTag[]) =>
  tx.db
    .deleteFrom('feature_tags')
    .where(sql<boolean>`(feature_name, type, value) in (select * from ${listOf(rows)})`)
    .execute();

/** Removes a tag from all features. Returns the names of those that had it. */
export async function deleteTagEverywhere(tx: Tx, { type, value }: Tag): Promise<string[]> {
  const rows = await tx.db
    .deleteFrom('feature_tags')
    .where('type', '=', type)
    .where('value', '=', value)
    .returning('feature_name as name')
    .execute();
  return rows.map(({ name }) => name);
}
