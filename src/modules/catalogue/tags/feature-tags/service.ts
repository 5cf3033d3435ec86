import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { record } from '../../../events/index.ts';
import { ensureTags, tagFaults, unknownTag, unknownType } from '../service.ts';
import { isTag, keyOf, keysOf, normalizeTags, without } from '../tag-list.ts';
import type { Tag } from '../tag-schema.ts';
import { findTagType } from '../tag-types/queries.ts';
import type { TagsChange } from './contract.ts';
import { featureTagged, featureUntagged } from './events.ts';
import {
  deleteFeatureTags,
  type FeatureTag,
  type FeatureWithTags,
  findTagsOf,
  insertFeatureTags,
  lockFeatures,
} from './queries.ts';

export async function listTagsOfFeature(db: Db, feature: string): Promise<Tag[]> {
  const tags = await findTagsOf(db, feature);
  if (!tags) throw notFound('feature', feature);
  return tags;
}

/** Every event about a feature contains all its tags. */
const maxTags = 100;

interface TagsChangeOfFeature {
  readonly feature: FeatureWithTags;
  readonly added: readonly Tag[];
  readonly removed: readonly Tag[];
}

/** Changes the tags of locked features, in a fixed number of statements. */
async function changeTagsOf(tx: Tx, retaggings: readonly TagsChangeOfFeature[]): Promise<Tag[][]> {
  const plans = retaggings.map(({ feature, added, removed }) => {
    const removedKeys = keysOf(removed);
    return {
      feature,
      fresh: without(normalizeTags(added), feature.tags),
      gone: normalizeTags(feature.tags).filter((tag) => removedKeys.has(keyOf(tag))),
    };
  });
  for (const { feature, fresh, gone } of plans) {
    const count = feature.tags.length + fresh.length - gone.length;
    if (fresh.length > 0 && count > maxTags) {
      throw invalidOperation(
        `The feature '${feature.name}' would have ${count} tags; at most ${maxTags} are allowed`,
      );
    }
  }
  const fresh = plans.flatMap(({ feature: { name: feature }, fresh: tags }) =>
    tags.map((tag) => ({ feature, tag })),
  );
  const gone = plans.flatMap(({ feature: { name: feature }, gone: tags }) =>
    tags.map((tag) => ({ feature, tag })),
  );
  await insertTagsOfFeatures(tx, fresh, retaggings[0]?.feature.project);
  if (gone.length > 0) await deleteFeatureTags(tx, gone);
  const slices = createSlices();
  const now: Tag[][] = [];
  for (const plan of plans) {
    now.push(recordPlan(tx, plan));
    if (slices.isOver()) await slices.pause();
  }
  return now;
}

/** Existing tags take one statement, and nearly all exist. Missing ones are created first. */
async function insertTagsOfFeatures(
  tx: Tx,
  rows: readonly FeatureTag[],
  project: string | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const keyOfRow = ({ feature, tag }: FeatureTag) => JSON.stringify([feature, keyOf(tag)]);
  const given = new Set((await insertFeatureTags(tx, rows)).map(keyOfRow));
  const left = rows.filter((row) => !given.has(keyOfRow(row)));
  if (left.length === 0) return;
  await ensureTags(
    tx,
    left.map(({ tag }) => tag),
    project,
  );
  await insertFeatureTags(tx, left);
}

/** Each event contains the tags of its moment: with the added one, and still with the removed one. */
function recordPlan(
  tx: Tx,
  {
    feature,
    fresh,
    gone,
  }: { feature: FeatureWithTags; fresh: readonly Tag[]; gone: readonly Tag[] },
): Tag[] {
  const about = { project: feature.project, featureName: feature.name };
  let tags = normalizeTags(feature.tags);
  for (const tag of fresh) {
    tags = normalizeTags([...tags, tag]);
    record(tx, featureTagged({ ...about, tags, data: tag }));
  }
  for (const tag of gone) {
    record(tx, featureUntagged({ ...about, tags, preData: tag }));
    tags = without(tags, [tag]);
  }
  return tags;
}

/**
 * Adds tags to a feature that the caller has locked or just created. Missing tags are created. Returns all tags of
 * the feature.
 */
export async function addTags(
  tx: Tx,
  feature: FeatureWithTags,
  tags: readonly Tag[],
): Promise<Tag[]> {
  const [now] = await changeTagsOf(tx, [{ feature, added: tags, removed: [] }]);
  return now ?? [];
}

/** The same for many features, in the same number of statements. Returns all tags of each. */
export const addTagsTo = (
  tx: Tx,
  additions: readonly { readonly feature: FeatureWithTags; readonly tags: readonly Tag[] }[],
): Promise<Tag[][]> =>
  changeTagsOf(
    tx,
    additions.map(({ feature, tags }) => ({ feature, added: tags, removed: [] })),
  );

/** Gets and locks an active feature. */
async function lockActiveFeature(tx: Tx, name: string): Promise<FeatureWithTags> {
  const [feature] = await lockFeatures(tx, [name]);
  if (!feature || feature.archivedAt || !sees(tx.actor, feature.project)) {
    throw notFound('feature', name);
  }
  // The gate checked the project the feature had then. It may have moved since.
  demand(tx.actor, 'UPDATE_FEATURE', feature.project);
  return feature;
}

export async function addTag(tx: Tx, name: string, { type, value }: Tag): Promise<Tag> {
  const tag = { type, value };
  const feature = await lockActiveFeature(tx, name);
  if (!(await findTagType(tx.db, type))) throw badData([unknownType(type, '/body/type')]);
  // Adding an existing tag is no error.
  if (!feature.tags.some(isTag(tag))) await addTags(tx, feature, [tag]);
  return tag;
}

export async function changeTags(
  tx: Tx,
  name: string,
  { addedTags = [], removedTags = [] }: TagsChange,
): Promise<Tag[]> {
  const feature = await lockActiveFeature(tx, name);
  const faults = await tagFaults(tx.db, addedTags, '/body/addedTags');
  if (faults.length > 0) throw badData(faults);
  const [now] = await changeTagsOf(tx, [{ feature, added: addedTags, removed: removedTags }]);
  return now ?? [];
}

export async function removeFeatureTag(tx: Tx, name: string, tag: Tag): Promise<void> {
  const feature = await lockActiveFeature(tx, name);
  if (!feature.tags.some(isTag(tag))) throw unknownTag(tag);
  await changeTagsOf(tx, [{ feature, added: [], removed: [tag] }]);
}

/** The same change for several features of a project: all of them or none. */
export async function changeTagsInBulk(
  tx: Tx,
  project: string,
  names: readonly string[],
  { addedTags = [], removedTags = [] }: TagsChange,
): Promise<void> {
  const locked = await lockFeatures(tx, names);
  const features = locked.filter((each) => each.project === project && !each.archivedAt);
  const existing = new Set(features.map(({ name }) => name));
  const unknown = names.flatMap((name, index) =>
    existing.has(name)
      ? []
      : [
          {
            path: `/body/features/${index}`,
            message: `Feature '${name}' not found in project '${project}'`,
          },
        ],
  );
  const faults = [...unknown, ...(await tagFaults(tx.db, addedTags, '/body/tags/addedTags'))];
  if (faults.length > 0) throw badData(faults);
  await changeTagsOf(
    tx,
    features.map((feature) => ({ feature, added: addedTags, removed: removedTags })),
  );
}
