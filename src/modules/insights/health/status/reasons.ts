import type { Owner } from '../../../flags/features/index.ts';
import { type ReasonName, reasonNames } from './contract.ts';

/** A user's decision that a feature is not too old. */
interface Review {
  readonly permanent: boolean;
  readonly snoozedUntil: number | null;
  readonly reason: string;
  readonly reviewedBy: string;
  readonly reviewedAt: number;
}

/** The facts that decide the reasons. Instants are in milliseconds. */
export interface Facts {
  readonly name: string;
  readonly type: string;
  /** Null if features of its type have no end of life. */
  readonly lifetimeDays: number | null;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  readonly expiresAt: number | null;
  readonly owner: Owner | null;
  readonly stale: boolean;
  /** Who marked it as stale; null if it is not stale, or retention removed the event. */
  readonly marked: { readonly by: string; readonly at: number } | null;
  readonly completedAt: number | null;
  /** When an SDK last asked for it, in each environment where one did. */
  readonly seen: readonly { readonly environment: string; readonly at: number }[];
  /** The production environments in which it is on, if it is on for everyone in all of them; otherwise empty. */
  readonly fullyOn: readonly FullyOn[];
  readonly inCode: boolean;
  readonly review: Review | null;
}

interface FullyOn {
  readonly environment: string;
  /** When the audience last changed. */
  readonly since: number;
  /** The context field that is required to match, or null. */
  readonly stickiness: string | null;
}

/** The terms that facts are compared with. */
export interface Terms {
  readonly now: number;
  readonly notSeenDays: number;
  readonly fullyOnDays: number;
  /** When each repository of the project was last scanned. */
  readonly scans: readonly number[];
}

/** The evidence for a reason. */
interface Evidence {
  readonly markedBy?: string;
  readonly type?: string;
  readonly lifetimeDays?: number;
  readonly createdAt?: number;
  readonly completedAt?: number;
  readonly archivedAt?: number;
  readonly environments?: readonly {
    readonly environment: string;
    readonly lastSeenAt?: number;
    readonly since?: number;
    readonly stickiness?: string;
  }[];
  readonly repositories?: number;
  readonly lastScanAt?: number;
}

export interface Reason {
  readonly reason: ReasonName;
  /** Since when it holds; undefined if retention removed the event. */
  readonly since?: number;
  readonly evidence: Evidence;
}

const dayMs = 86_400_000;

const lastSeen = ({ seen }: Facts): number | undefined =>
  seen.length === 0 ? undefined : Math.max(...seen.map(({ at }) => at));

const whereSeen = ({ seen }: Facts) =>
  seen.map(({ environment, at }) => ({ environment, lastSeenAt: at }));

const isOver = (since: number, count: number, now: number): boolean => since + count * dayMs <= now;

/** A snooze ends exactly at its instant. */
const isSnoozed = (review: Review | null, now: number): boolean =>
  review !== null &&
  (review.permanent || (review.snoozedUntil !== null && review.snoozedUntil > now));

type Decide = (facts: Facts, terms: Terms) => Omit<Reason, 'reason'> | undefined;

const markedStale: Decide = ({ stale, marked, archivedAt }) => {
  if (!stale || archivedAt !== null) return undefined;
  return marked ? { since: marked.at, evidence: { markedBy: marked.by } } : { evidence: {} };
};

const lifetimeOver: Decide = ({ type, lifetimeDays, createdAt, archivedAt }, { now }) => {
  if (archivedAt !== null || lifetimeDays === null) return undefined;
  if (!isOver(createdAt, lifetimeDays, now)) return undefined;
  const since = createdAt + lifetimeDays * dayMs;
  return { since, evidence: { type, lifetimeDays, createdAt } };
};

/** Leaves health and the counts of stale features as they are, because Unleash has no expiry dates. */
const expired: Decide = ({ expiresAt, archivedAt }, { now }) =>
  archivedAt !== null || expiresAt === null || expiresAt > now
    ? undefined
    : { since: expiresAt, evidence: {} };

const notSeen: Decide = (facts, { now, notSeenDays }) => {
  const { archivedAt, createdAt } = facts;
  const since = lastSeen(facts) ?? createdAt;
  if (archivedAt !== null || !isOver(since, notSeenDays, now)) return undefined;
  const environments = whereSeen(facts);
  return {
    since,
    evidence: environments.length === 0 ? { createdAt, environments } : { environments },
  };
};

const fullyOn: Decide = ({ fullyOn: on, archivedAt }, { now, fullyOnDays }) => {
  if (archivedAt !== null || on.length === 0) return undefined;
  // The last environment decides: before that, the feature was not on for everyone everywhere.
  const since = Math.max(...on.map((each) => each.since));
  if (!isOver(since, fullyOnDays, now)) return undefined;
  const environments = on.map(({ stickiness, ...each }) => ({
    ...each,
    ...(stickiness !== null && { stickiness }),
  }));
  return { since, evidence: { environments } };
};

/** Lists where SDKs asked for it after an instant, or nothing if the last request was more than `notSeenDays` ago. */
const calledAfter = (facts: Facts, at: number, { now, notSeenDays }: Terms) => {
  const last = lastSeen(facts);
  if (last === undefined || last <= at || isOver(last, notSeenDays, now)) return undefined;
  return whereSeen(facts).filter(({ lastSeenAt }) => lastSeenAt > at);
};

const completedButCalled: Decide = (facts, terms) => {
  const { completedAt, archivedAt } = facts;
  if (completedAt === null || archivedAt !== null) return undefined;
  const environments = calledAfter(facts, completedAt, terms);
  return environments && { since: completedAt, evidence: { completedAt, environments } };
};

const archivedButCalled: Decide = (facts, terms) => {
  const { archivedAt } = facts;
  if (archivedAt === null) return undefined;
  const environments = calledAfter(facts, archivedAt, terms);
  return environments && { since: archivedAt, evidence: { archivedAt, environments } };
};

/** Only scans newer than the feature count. */
const notInCode: Decide = ({ inCode, createdAt, archivedAt }, { scans }) => {
  if (inCode || archivedAt !== null) return undefined;
  const after = scans.filter((at) => at > createdAt);
  if (after.length === 0) return undefined;
  const last = Math.max(...after);
  return { since: last, evidence: { repositories: after.length, lastScanAt: last } };
};

const decisions: Readonly<Record<ReasonName, Decide>> = {
  markedStale,
  lifetimeOver,
  expired,
  notSeen,
  fullyOn,
  completedButCalled,
  archivedButCalled,
  notInCode,
};

/** Returns why a feature is stale or may be, regardless of snoozes. */
export const reasonsOf = (facts: Facts, terms: Terms): Reason[] =>
  reasonNames.flatMap((reason) => {
    const found = decisions[reason](facts, terms);
    return found ? [{ reason, ...found }] : [];
  });

/** The reasons that a snooze hides. It hides neither a stale mark nor calls of completed or archived features. */
const ageReasons: ReadonlySet<ReasonName> = new Set([
  'lifetimeOver',
  'expired',
  'notSeen',
  'fullyOn',
  'notInCode',
]);

/** Returns the reasons that a snooze does not hide. */
export const withoutSnoozed = (
  reasons: readonly Reason[],
  { review }: Facts,
  { now }: Terms,
): readonly Reason[] =>
  isSnoozed(review, now) ? reasons.filter(({ reason }) => !ageReasons.has(reason)) : reasons;
