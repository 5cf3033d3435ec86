import type { Response } from '../../api.ts';
import { agree, percent } from '../../ui/format.ts';

type ListedProject = Response<'GET /api/admin/projects'>['projects'][number];
type Trend = Response<'GET /api/admin/insights'>['projectFlagTrends'][number];

/** How a project changed within a week. */
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

/** "−4 health, +2 features, +1 to clean up" */
export function weekWords(week: Week | undefined): string {
  if (week === undefined) return 'No data from last week';
  const { health, features, due } = week;
  const parts = [
    ...(health === 0 ? [] : [`${signed(health)} health`]),
    ...(features === 0 ? [] : [`${signed(features)} ${agree(Math.abs(features), 'feature')}`]),
    ...(due === 0 ? [] : [`${signed(due)} to clean up`]),
  ];
  return parts.length === 0 ? 'No change' : parts.join(', ');
}

/** How many projects improved and declined. */
export function weekFigure(weeks: readonly (Week | undefined)[]) {
  if (weeks.every((week) => week === undefined)) return { value: '–', note: weekWords(undefined) };
  const better = weeks.filter((week) => (week?.health ?? 0) > 0).length;
  const worse = weeks.filter((week) => (week?.health ?? 0) < 0).length;
  if (better + worse === 0) return { value: 'No change', note: 'vs. last week' };
  return {
    value: `${better} ▲ ${worse} ▼`,
    note: `${better} improved, ${worse} declined vs. last week`,
  };
}

/** Which limits of its budget a project exceeds, for one sentence. */
export function exceededWords(project: ListedProject): string[] {
  const { budget, health, staleFeatureCount, potentiallyStaleFeatureCount } = project;
  const due = staleFeatureCount + potentiallyStaleFeatureCount;
  return [
    ...(budget.maxStale !== null && due > budget.maxStale
      ? [`${due} to clean up (max ${budget.maxStale})`]
      : []),
    ...(budget.minHealth !== null && health < budget.minHealth
      ? [`health ${percent(health)} (min ${percent(budget.minHealth)})`]
      : []),
  ];
}

/** A budget in words; undefined without one. */
export function budgetWords({ maxStale, minHealth }: ListedProject['budget']): string | undefined {
  const parts = [
    ...(maxStale === null ? [] : [`max ${maxStale} to clean up`]),
    ...(minHealth === null ? [] : [`min health ${percent(minHealth)}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}
