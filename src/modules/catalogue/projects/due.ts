import { dayMs } from '../../../platform/clock.ts';

/**
 * When a feature `f` of type `t` becomes potentially stale, considering its `review`; null: never. It does so only if
 * it is not stale already.
 */
export const dueAtInSql = `case when review.permanent or t.lifetime_days is null then null
  else greatest(f.created_at + t.lifetime_days * interval '24 hours', review.snoozed_until) end`;

/** Instants are in milliseconds. */
interface FeatureAge {
  readonly createdAt: number;
  /** Null: features of this type never expire. */
  readonly lifetimeDays: number | null;
  readonly review: { readonly permanent: boolean; readonly snoozedUntil: number | null } | null;
}

/** The same as `dueAtInSql`, for values in memory. */
export function dueAt({ createdAt, lifetimeDays, review }: FeatureAge): number | null {
  if (lifetimeDays === null || review?.permanent) return null;
  const ended = createdAt + lifetimeDays * dayMs;
  return Math.max(ended, review?.snoozedUntil ?? ended);
}
