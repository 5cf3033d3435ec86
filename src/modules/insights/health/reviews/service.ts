import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import {
  type BulkOutcome,
  type LockedFeature,
  lockActiveFeature,
  lockFeatures,
  type ReviewFacts,
  recordReview,
} from '../../../flags/features/index.ts';
import type { ReviewAnswer, SetReview } from './contract.ts';
import {
  deleteReviews,
  findReview,
  isActiveFeature,
  listReviews,
  type StoredReview,
  upsertReviews,
} from './queries.ts';
import { reviewJson } from './review-json.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

const what = 'review of feature';

const maxSnoozeMs = 5 * 366 * 86_400_000;

const factsOf = (review: StoredReview | undefined): ReviewFacts =>
  review
    ? {
        permanent: review.permanent,
        snoozedUntil: review.snoozedUntil?.toISOString() ?? null,
        reason: review.reason,
      }
    : null;

export async function getReview(db: Db, { project, feature }: Address): Promise<ReviewAnswer> {
  if (!(await isActiveFeature(db, project, feature))) throw notFound('feature', feature);
  const review = await findReview(db, feature);
  if (!review) throw notFound(what, feature);
  return reviewJson(review);
}

/** Returns the end of the snooze. Refuses leap seconds, which RFC 3339 allows and a Date does not. */
function snoozeOf({ permanent, snoozedUntil: text }: SetReview, now: Date): Date | null {
  if (permanent || text === null) return null;
  const path = '/body/snoozedUntil';
  const at = Date.parse(text);
  if (at > now.getTime() && at <= now.getTime() + maxSnoozeMs) return new Date(at);
  const message = `${path} must be within the next five years; you sent '${text.slice(0, 40)}'`;
  throw badData([{ path, message }]);
}

const isSame = (stored: StoredReview | undefined, wanted: ReviewFacts): boolean =>
  isDeepStrictEqual(factsOf(stored), wanted);

/** Stores the same review for locked features. Returns those for which it is new: if nothing changes, the first reviewer stays. */
async function reviewLocked(
  tx: Tx,
  features: readonly LockedFeature[],
  review: SetReview,
): Promise<readonly string[]> {
  const snoozedUntil = snoozeOf(review, tx.now);
  const { permanent, reason } = review;
  const after = { permanent, snoozedUntil: snoozedUntil?.toISOString() ?? null, reason };
  const stored = new Map(
    (await listReviews(tx.db, namesOf(features))).map((each) => [each.featureName, each]),
  );
  const changing = features.filter(({ name }) => !isSame(stored.get(name), after));
  if (changing.length === 0) return [];
  await upsertReviews(tx, namesOf(changing), { permanent, snoozedUntil, reason });
  for (const feature of changing) {
    recordReview(tx, feature, { before: factsOf(stored.get(feature.name)), after });
  }
  return namesOf(changing);
}

const namesOf = (features: readonly LockedFeature[]) => features.map(({ name }) => name);

/** Stores a review. */
export async function setReview(
  tx: Tx,
  { project, feature: name }: Address,
  review: SetReview,
): Promise<ReviewAnswer> {
  await reviewLocked(tx, [await lockActiveFeature(tx, project, name)], review);
  return getReview(tx.db, { project, feature: name });
}

export async function removeReview(tx: Tx, { project, feature: name }: Address): Promise<void> {
  const feature = await lockActiveFeature(tx, project, name);
  const [removed] = await removeLocked(tx, [feature]);
  if (removed === undefined) throw notFound(what, name);
}

/** Returns those that had a review. */
async function removeLocked(
  tx: Tx,
  features: readonly LockedFeature[],
): Promise<readonly string[]> {
  const stored = new Map(
    (await listReviews(tx.db, namesOf(features))).map((each) => [each.featureName, each]),
  );
  const changing = features.filter(({ name }) => stored.has(name));
  await deleteReviews(tx, namesOf(changing));
  for (const feature of changing) {
    recordReview(tx, feature, { before: factsOf(stored.get(feature.name)), after: null });
  }
  return namesOf(changing);
}

/** Changes the features of a project that are there and not archived, and says why others stay as they are. */
async function changeEach(
  tx: Tx,
  project: string,
  wanted: readonly string[],
  change: (features: readonly LockedFeature[]) => Promise<readonly string[]>,
): Promise<BulkOutcome[]> {
  const names = [...new Set(wanted)];
  const found = (await lockFeatures(tx, names)).filter((feature) => feature.project === project);
  const changed = new Set(await change(found.filter(({ archivedAt }) => archivedAt === null)));
  const features = new Map(found.map((feature) => [feature.name, feature]));
  return names.map((name) => {
    const feature = features.get(name);
    if (!feature) return { name, outcome: 'refused', why: `Feature '${name}' not found` };
    if (feature.archivedAt)
      return { name, project, outcome: 'refused', why: `'${name}' is archived` };
    return { name, project, outcome: changed.has(name) ? 'changed' : 'unchanged' };
  });
}

export const setReviews = (
  tx: Tx,
  project: string,
  names: readonly string[],
  review: SetReview,
): Promise<BulkOutcome[]> =>
  changeEach(tx, project, names, (features) => reviewLocked(tx, features, review));

export const removeReviews = (
  tx: Tx,
  project: string,
  names: readonly string[],
): Promise<BulkOutcome[]> =>
  changeEach(tx, project, names, (features) => removeLocked(tx, features));
