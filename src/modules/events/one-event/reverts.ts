import type { Revert } from './queries.ts';

interface Reverted {
  readonly eventId: number;
  readonly revertedBy: number[];
  readonly isReverted: boolean;
}

/** Which of some events were reverted, and whether they still are: a revert can be reverted. */
export function describeReverts(ids: readonly number[], reverts: readonly Revert[]): Reverted[] {
  const reverting = new Map<number, number[]>();
  for (const { eventId, by } of reverts) {
    reverting.set(eventId, [...(reverting.get(eventId) ?? []), by]);
  }
  const known = new Map<number, boolean>();
  // A revert is later than what it reverts, so that the newest are decided first.
  const decided = [...reverting.keys()].sort((a, b) => b - a);
  for (const eventId of decided) {
    const by = reverting.get(eventId) ?? [];
    known.set(
      eventId,
      by.some((revert) => !known.get(revert)),
    );
  }
  return [...new Set(ids)].flatMap((eventId) => {
    const by = reverting.get(eventId);
    if (!by) return [];
    const isReverted = known.get(eventId) ?? false;
    return [{ eventId, revertedBy: by, isReverted }];
  });
}
