import { dayMs } from '../../../platform/clock.ts';
/** A day has 24 hours, whatever the clocks of a zone do. */

/**
 * When a feature `f` of type `t` has had its day, by what people said of it in `review`; null: never. At that
 * instant it is potentially stale, if it is not stale.
 */
export const dueAtInSql = `case when review.permanent or t.lifetime_days is null then null
  else greatest(f.created_at + t.lifetime_days * interval '24 hours', review.snoozed_until) end`;

/** Instants are in milliseconds. */
interface Aging {
  readonly createdAt: number;
  /** Null: features of its type live for ever. */
  readonly lifetimeDays: number | null;
  readonly review: { readonly permanent: boolean; readonly snoozedUntil: number | null } | null;
}

/** The same, of what was read. */
export function dueAt({ createdAt, lifetimeDays, review }: Aging): number | null {
  if (lifetimeDays === null || review?.permanent) return null;
  const ended = createdAt + lifetimeDays * dayMs;
  return Math.max(ended, review?.snoozedUntil ?? ended);
}
