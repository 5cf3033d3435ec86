import type { Actor } from '../../../platform/actor.ts';
import { explained } from '../../../platform/db/constraint.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import {
  badData,
  type Fault,
  invalidOperation,
  nameExists,
  notFound,
} from '../../../platform/errors.ts';
import { demand } from '../../../platform/permission.ts';
import { record, recordEach } from '../../events/index.ts';
import { tagCreated, tagDeleted } from './events.ts';
import { featureUntagged } from './feature-tags/events.ts';
import {
  deleteTagEverywhere,
  listFeaturesWith,
  listNamesWith,
  lockFeatures,
} from './feature-tags/queries.ts';
import {
  deleteTag,
  findTag,
  insertTags,
  listTags,
  listTagsOfType,
  lockTagsInUse,
  lockTagToDelete,
  updateTagShared,
  updateTagsBornIn,
} from './queries.ts';
import { normalizeTags, without } from './tag-list.ts';
import type { Tag } from './tag-schema.ts';
import { findTagType, listKnownTypes } from './tag-types/queries.ts';

export const unknownTag = ({ type, value }: Tag) => notFound('tag', `${type}:${value}`);

export const unknownType = (type: string, at: string): Fault => ({
  path: at,
  message: `Tag type '${type}' not found`,
});

export const listAllTags = (db: Db, { sees }: Actor): Promise<Tag[]> => listTags(db, sees);

export async function listTagsOf(db: Db, { sees }: Actor, type: string): Promise<Tag[]> {
  if (!(await findTagType(db, type))) throw notFound('tag type', type);
  return listTagsOfType(db, type, sees);
}

export async function getTag(db: Db, { sees }: Actor, tag: Tag): Promise<Tag> {
  const found = await findTag(db, tag, sees);
  if (!found) throw unknownTag(tag);
  return found;
}

/** Faults of tags with unknown types. */
export async function tagFaults(db: Db, tags: readonly Tag[], path: string): Promise<Fault[]> {
  if (tags.length === 0) return [];
  const existing = new Set(await listKnownTypes(db, [...new Set(tags.map(({ type }) => type))]));
  return tags.flatMap(({ type }, index) =>
    existing.has(type) ? [] : [unknownType(type, `${path}/${index}/type`)],
  );
}

export async function createTag(tx: Tx, { type, value }: Tag): Promise<Tag> {
  const [tag] = await explained(insertTags(tx, [{ type, value }]), {
    tags_type_fkey: () => badData([unknownType(type, '/body/type')]),
  });
  if (!tag) await shareHidden(tx, { type, value });
  record(tx, tagCreated({ data: { type, value } }));
  return { type, value };
}

/**
 * If only projects hidden from the actor have the tag, creating it makes it visible to all. An error would reveal
 * that one of these projects has it.
 */
async function shareHidden(tx: Tx, tag: Tag): Promise<void> {
  if (await findTag(tx.db, tag, tx.actor.sees)) {
    throw nameExists(`The tag '${tag.type}:${tag.value}' already exists`);
  }
  if (!(await updateTagShared(tx, tag))) {
    throw invalidOperation(`The tag '${tag.type}:${tag.value}' has just been deleted. Try again`);
  }
}

/**
 * Tags of a project that is about to be deleted stay visible to the same readers. For a private project these are the
 * readers of another feature with the tag; a later project with the same id shows none.
 */
export const releaseTagsOf = (
  tx: Tx,
  { id, mode }: { readonly id: string; readonly mode: string },
) => updateTagsBornIn(tx, id, mode === 'private' ? '' : null);

/**
 * Creates missing tags for features of a project, and locks all of them against deletion until the transaction ends.
 * Of concurrent transactions one creates a tag, and the others find it.
 */
export async function ensureTags(tx: Tx, tags: readonly Tag[], project?: string): Promise<void> {
  let missing = normalizeTags(tags);
  while (missing.length > 0) {
    missing = without(missing, await lockTagsInUse(tx, missing));
    if (missing.length === 0) return;
    const created = await explained(insertTags(tx, missing, project), {
      tags_type_fkey: () => {
        const types = [...new Set(missing.map(({ type }) => type))];
        return badData([
          { message: `Tag type not found. One of these is missing: ${types.join(', ')}` },
        ]);
      },
    });
    await recordEach(tx, normalizeTags(created), (tag) => tagCreated({ data: tag }));
    missing = without(missing, created);
  }
}

/**
 * Deletes a tag and removes it from every feature. Locks features before the tag, as adding a tag does, so that they
 * cannot deadlock. It does not wait for features that are tagged at the same time.
 */
export async function removeTag(tx: Tx, tag: Tag): Promise<void> {
  await getTag(tx.db, tx.actor, tag);
  await lockFeatures(tx, await listNamesWith(tx.db, tag));
  const found = await lockTagToDelete(tx, tag);
  if (!found) throw unknownTag(tag);
  const features = await listFeaturesWith(tx.db, tag);
  for (const { project } of features) demand(tx.actor, 'UPDATE_FEATURE', project);
  const untagged = new Set(await deleteTagEverywhere(tx, tag));
  await deleteTag(tx, tag);
  await recordEach(
    tx,
    features.filter((feature) => untagged.has(feature.name)),
    ({ name, project, tags }) =>
      featureUntagged({ project, featureName: name, tags, preData: found }),
  );
  record(tx, tagDeleted({ data: found }));
}
