import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, invalidOperation, notFound } from '../../../../platform/errors.ts';
import { demand, sees } from '../../../../platform/permission.ts';
import { createSlices } from '../../../../platform/slices.ts';
import { record } from '../../../events/index.ts';
import type { Tag } from '../contract.ts';
import { ensureTags, tagFaults, unknownTag, unknownType } from '../service.ts';
import { isTag, keyOf, keysOf, tidy, without } from '../tag-list.ts';
import { findTagType } from '../tag-types/queries.ts';
import type { TagsChange } from './contract.ts';
import { featureTagged, featureUntagged } from './events.ts';
import {
  deleteFeatureTags,
  type FeatureTag,
  findTagsOf,
  insertFeatureTags,
  lockFeatures,
  type Tagged,
} from './queries.ts';

export async function listTagsOfFeature(db: Db, feature: string): Promise<Tag[]> {
  const tags = await findTagsOf(db, feature);
  if (!tags) throw notFound('feature', feature);
  return tags;
}

/** Every event about a feature carries all of its tags. */
const maxTags = 100;

interface Retagging {
  readonly feature: Tagged;
  readonly added: readonly Tag[];
  readonly removed: readonly Tag[];
}

/** Changes the tags of locked features, with the same few statements for any number of them. */
async function retag(tx: Tx, retaggings: readonly Retagging[]): Promise<Tag[][]> {
  const plans = retaggings.map(({ feature, added, removed }) => {
    const asked = keysOf(removed);
    return {
      feature,
      fresh: without(tidy(added), feature.tags),
      gone: tidy(feature.tags).filter((tag) => asked.has(keyOf(tag))),
    };
  });
  for (const { feature, fresh, gone } of plans) {
    const count = feature.tags.length + fresh.length - gone.length;
    if (fresh.length > 0 && count > maxTags) {
      throw invalidOperation(
        `The feature '${feature.name}' would have ${count} tags: at most ${maxTags} are allowed`,
      );
    }
  }
  const fresh = plans.flatMap(({ feature: { name: feature }, fresh: tags }) =>
    tags.map((tag) => ({ feature, tag })),
  );
  const gone = plans.flatMap(({ feature: { name: feature }, gone: tags }) =>
    tags.map((tag) => ({ feature, tag })),
  );
  await giveTags(tx, fresh, retaggings[0]?.feature.project);
  if (gone.length > 0) await deleteFeatureTags(tx, gone);
  const slices = createSlices();
  const now: Tag[][] = [];
  for (const plan of plans) {
    now.push(recordPlan(tx, plan));
    if (slices.isOver()) await slices.pause();
  }
  return now;
}

/** Tags that there are take one statement, and nearly all are there; the others are created first. */
async function giveTags(
  tx: Tx,
  wished: readonly FeatureTag[],
  project: string | undefined,
): Promise<void> {
  if (wished.length === 0) return;
  const keyOfRow = ({ feature, tag }: FeatureTag) => JSON.stringify([feature, keyOf(tag)]);
  const given = new Set((await insertFeatureTags(tx, wished)).map(keyOfRow));
  const left = wished.filter((row) => !given.has(keyOfRow(row)));
  if (left.length === 0) return;
  await ensureTags(
    tx,
    left.map(({ tag }) => tag),
    project,
  );
  await insertFeatureTags(tx, left);
}

/** Each event has the tags of its moment: with the new one, and still with the one that goes. */
function recordPlan(
  tx: Tx,
  { feature, fresh, gone }: { feature: Tagged; fresh: readonly Tag[]; gone: readonly Tag[] },
): Tag[] {
  const place = { project: feature.project, featureName: feature.name };
  let tags = tidy(feature.tags);
  for (const tag of fresh) {
    tags = tidy([...tags, tag]);
    record(tx, featureTagged({ ...place, tags, data: tag }));
  }
  for (const tag of gone) {
    record(tx, featureUntagged({ ...place, tags, preData: tag }));
    tags = without(tags, [tag]);
  }
  return tags;
}

/**
 * Gives tags to a feature that the caller has locked or just made, and whose tags he knows; values
 * that their types do not have yet are created. Tells which tags the feature has now.
 */
export async function addTags(tx: Tx, feature: Tagged, tags: readonly Tag[]): Promise<Tag[]> {
  const [now] = await retag(tx, [{ feature, added: tags, removed: [] }]);
  return now ?? [];
}

/** The same for many features, in as many statements; tells of each which tags it has now. */
export const addTagsTo = (
  tx: Tx,
  wishes: readonly { readonly feature: Tagged; readonly tags: readonly Tag[] }[],
): Promise<Tag[][]> =>
  retag(
    tx,
    wishes.map(({ feature, tags }) => ({ feature, added: tags, removed: [] })),
  );

/** The living feature, locked. */
async function getLiving(tx: Tx, name: string): Promise<Tagged> {
  const [feature] = await lockFeatures(tx, [name]);
  if (!feature || feature.archivedAt || !sees(tx.actor, feature.project)) {
    throw notFound('feature', name);
  }
  // The gate asked in the project that the feature had then; it may have moved since.
  demand(tx.actor, 'UPDATE_FEATURE', feature.project);
  return feature;
}

export async function addTag(tx: Tx, name: string, { type, value }: Tag): Promise<Tag> {
  const tag = { type, value };
  const feature = await getLiving(tx, name);
  if (!(await findTagType(tx.db, type))) throw badData([unknownType(type, '/body/type')]);
  // Whoever says it again is not wrong.
  if (!feature.tags.some(isTag(tag))) await addTags(tx, feature, [tag]);
  return tag;
}

export async function changeTags(
  tx: Tx,
  name: string,
  { addedTags = [], removedTags = [] }: TagsChange,
): Promise<Tag[]> {
  const feature = await getLiving(tx, name);
  const faults = await tagFaults(tx.db, addedTags, '/body/addedTags');
  if (faults.length > 0) throw badData(faults);
  const [now] = await retag(tx, [{ feature, added: addedTags, removed: removedTags }]);
  return now ?? [];
}

export async function removeFeatureTag(tx: Tx, name: string, tag: Tag): Promise<void> {
  const feature = await getLiving(tx, name);
  if (!feature.tags.some(isTag(tag))) throw unknownTag(tag);
  await retag(tx, [{ feature, added: [], removed: [tag] }]);
}

/** The same change for several features of a project: of all of them, or of none. */
export async function changeTagsInBulk(
  tx: Tx,
  project: string,
  names: readonly string[],
  { addedTags = [], removedTags = [] }: TagsChange,
): Promise<void> {
  const locked = await lockFeatures(tx, names);
  const features = locked.filter((each) => each.project === project && !each.archivedAt);
  const known = new Set(features.map(({ name }) => name));
  const unknown = names.flatMap((name, index) =>
    known.has(name)
      ? []
      : [
          {
            path: `/body/features/${index}`,
            message: `There is no feature '${name}' in the project '${project}'`,
          },
        ],
  );
  const faults = [...unknown, ...(await tagFaults(tx.db, addedTags, '/body/tags/addedTags'))];
  if (faults.length > 0) throw badData(faults);
  await retag(
    tx,
    features.map((feature) => ({ feature, added: addedTags, removed: removedTags })),
  );
}
