import type { Db } from '../../../../platform/db/database.ts';
import { type Budget, countFeatures } from '../../../catalogue/projects/index.ts';
import { lockActiveProject } from '../history/service.ts';
import type { Counts } from '../snapshots/replay.ts';

export interface Excess {
  readonly what: keyof Budget;
  readonly limit: number;
  readonly actual: number;
}

/** Lists where a project exceeds its budget. Potentially stale features count as stale. */
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

export async function getBudget(db: Db, id: string, now: Date) {
  const { budget } = await lockActiveProject(db, id);
  const current = await countFeatures(db, id, now);
  const exceeded = excessesOf(budget, current);
  return { project: id, budget, current, withinBudget: exceeded.length === 0, exceeded };
}
