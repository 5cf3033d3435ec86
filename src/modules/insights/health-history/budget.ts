import type { Budget } from '../../catalogue/projects/index.ts';
import type { Counts } from './replay.ts';

export interface Excess {
  readonly what: keyof Budget;
  readonly limit: number;
  readonly actual: number;
}

/** Where a project is beyond its budget. What may become stale any moment counts as stale. */
export function excessesOf(
  { maxStale, minHealth }: Budget,
  { stale, potentiallyStale, health }: Omit<Counts, 'total'>,
): Excess[] {
  const debt = stale + potentiallyStale;
  return [
    ...(maxStale !== null && debt > maxStale
      ? [{ what: 'maxStale' as const, limit: maxStale, actual: debt }]
      : []),
    ...(minHealth !== null && health < minHealth
      ? [{ what: 'minHealth' as const, limit: minHealth, actual: health }]
      : []),
  ];
}
