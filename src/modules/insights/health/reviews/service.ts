import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import { badData, notFound } from '../../../../platform/errors.ts';
import { getLivingFeature, type ReviewFacts, recordReview } from '../../../flags/features/index.ts';
import type { ReviewAnswer, SetReview } from './contract.ts';
import {
  deleteReview,
  findReview,
  isLivingFeature,
  type StoredReview,
  upsertReview,
} from './queries.ts';
import { reviewJson } from './review-json.ts';

interface Address {
  readonly project: string;
  readonly feature: string;
}

const what = 'review of the feature';

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
  if (!(await isLivingFeature(db, project, feature))) throw notFound('feature', feature);
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

/** Stores a review. If nothing changes, the first reviewer stays. */
export async function setReview(
  tx: Tx,
  { project, feature: name }: Address,
  review: SetReview,
): Promise<ReviewAnswer> {
  const snoozedUntil = snoozeOf(review, tx.now);
  const feature = await getLivingFeature(tx, project, name);
  const stored = await findReview(tx.db, name);
  const { permanent, reason } = review;
  const changed = { permanent, snoozedUntil, reason };
  const same =
    stored &&
    isDeepStrictEqual(factsOf(stored), {
      ...changed,
      snoozedUntil: snoozedUntil?.toISOString() ?? null,
    });
  if (same) return reviewJson(stored);
  const after = await upsertReview(tx, name, changed);
  recordReview(tx, feature, { before: factsOf(stored), after: factsOf(after) });
  return reviewJson(after);
}

export async function removeReview(tx: Tx, { project, feature: name }: Address): Promise<void> {
  const feature = await getLivingFeature(tx, project, name);
  const stored = await findReview(tx.db, name);
  if (!stored) throw notFound(what, name);
  await deleteReview(tx, name);
  recordReview(tx, feature, { before: factsOf(stored), after: null });
}
