import type { Response } from '../../api.ts';
import { agree, percent } from '../../ui/format.ts';

type ListedProject = Response<'GET /api/admin/projects'>['projects'][number];
type Trend = Response<'GET /api/admin/insights'>['projectFlagTrends'][number];

/** What became of a project within a week. */
export interface Week {
  readonly health: number;
  readonly features: number;
  readonly due: number;
}

type Counted = Pick<
  ListedProject,
  'health' | 'featureCount' | 'staleFeatureCount' | 'potentiallyStaleFeatureCount'
>;

/** The change since a day; undefined where the project has no history of that day. */
export function weekOf(project: Counted, before: Trend | undefined): Week | undefined {
  if (before === undefined) return undefined;
  const due = project.staleFeatureCount + project.potentiallyStaleFeatureCount;
  return {
    health: project.health - before.health,
    features: project.featureCount - before.total,
    due: due - before.stale - before.potentiallyStale,
  };
}

const signed = (count: number) => `${count > 0 ? '+' : '−'}${Math.abs(count)}`;

/** "health −4, +2 features, +1 stale or due" */
export function weekWords(week: Week | undefined): string {
  if (week === undefined) return 'too new to compare';
  const { health, features, due } = week;
  const parts = [
    ...(health === 0 ? [] : [`health ${signed(health)}`]),
    ...(features === 0 ? [] : [`${signed(features)} ${agree(Math.abs(features), 'feature')}`]),
    ...(due === 0 ? [] : [`${signed(due)} stale or due`]),
  ];
  return parts.length === 0 ? 'as a week ago' : parts.join(', ');
}

/** Which limits of its budget a project exceeds, in words. */
export function exceededWords(project: ListedProject): string[] {
  const { budget, health, staleFeatureCount, potentiallyStaleFeatureCount } = project;
  const due = staleFeatureCount + potentiallyStaleFeatureCount;
  return [
    ...(budget.maxStale !== null && due > budget.maxStale
      ? [`${due} stale or due, at most ${budget.maxStale}`]
      : []),
    ...(budget.minHealth !== null && health < budget.minHealth
      ? [`${percent(health)} health, at least ${percent(budget.minHealth)}`]
      : []),
  ];
}

/** A budget in words; undefined without one. */
export function budgetWords({ maxStale, minHealth }: ListedProject['budget']): string | undefined {
  const parts = [
    ...(maxStale === null ? [] : [`at most ${maxStale} stale or due`]),
    ...(minHealth === null ? [] : [`at least ${percent(minHealth)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
