import { createSlices } from '../../../../platform/slices.ts';
import { type ReasonName, reasonNames } from './contract.ts';
import { type Facts, type Reason, reasonsOf, type Terms, withoutSnoozed } from './reasons.ts';
import type { FindingSearch } from './search.ts';

/** A feature with at least one reason. */
export interface Finding {
  readonly facts: Facts;
  readonly reasons: readonly Reason[];
  /** When its first reason began to hold. An unknown time sorts before all others. */
  readonly since: number;
}

export interface Findings {
  /** The number of features with each reason, regardless of the search. */
  readonly countByReason: Readonly<Record<ReasonName, number>>;
  /** The number of features with a reason that a snooze hides. */
  readonly snoozedCount: number;
  readonly total: number;
  readonly page: readonly Finding[];
}

const sinceOf = (reasons: readonly Reason[]): number =>
  reasons.reduce(
    (first, { since = Number.NEGATIVE_INFINITY }) => Math.min(first, since),
    Number.POSITIVE_INFINITY,
  );

const byName = (a: Finding, b: Finding): number => (a.facts.name < b.facts.name ? -1 : 1);

const bySince = (a: Finding, b: Finding): number => (a.since === b.since ? 0 : a.since - b.since);

function ordered(findings: Finding[], { sortBy, descending }: FindingSearch): Finding[] {
  const sign = descending ? -1 : 1;
  if (sortBy === 'feature') return findings.sort((a, b) => sign * byName(a, b));
  return findings.sort((a, b) => sign * bySince(a, b) || byName(a, b));
}

/** Finds the features of a project that are stale or may be, and why. */
export async function findFindings(
  features: readonly Facts[],
  terms: Terms,
  search: FindingSearch,
): Promise<Findings> {
  const slices = createSlices();
  const countByReason = Object.fromEntries(reasonNames.map((name) => [name, 0])) as Record<
    ReasonName,
    number
  >;
  const found: Finding[] = [];
  let snoozedCount = 0;
  for (const facts of features) {
    if (slices.isOver()) await slices.pause();
    const all = reasonsOf(facts, terms);
    const reasons = search.includeSnoozed ? all : withoutSnoozed(all, facts, terms);
    if (reasons.length < all.length) snoozedCount += 1;
    for (const { reason } of reasons) countByReason[reason] += 1;
    const wanted = search.reason;
    if (wanted ? reasons.some(({ reason }) => reason === wanted) : reasons.length > 0) {
      found.push({ facts, reasons, since: sinceOf(reasons) });
    }
  }
  const { offset, limit } = search;
  return {
    countByReason,
    snoozedCount,
    total: found.length,
    page: ordered(found, search).slice(offset, offset + limit),
  };
}
