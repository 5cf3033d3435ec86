import type { Response } from '../../api.ts';
import type { View } from './search.ts';

export type Decisions = Response<'POST /api/admin/playground/decisions'>;
export type FeatureDecisions = Decisions['features'][number];
export type Decision = NonNullable<FeatureDecisions['environments'][string]>[number];

/** Whether a feature is on for all that was asked, off for all, or neither. Another variant is a difference, too. */
export function viewOf({ environments }: Pick<FeatureDecisions, 'environments'>): View {
  const outcomes = new Set(
    Object.values(environments).flatMap((decisions) =>
      decisions.map(({ isEnabled, variant = '' }) => (isEnabled ? `on ${variant}` : 'off')),
    ),
  );
  if (outcomes.size > 1) return 'differ';
  return outcomes.has('off') ? 'off' : 'on';
}

/** How many features there are of each kind. */
export function countViews(features: readonly FeatureDecisions[]): Readonly<Record<View, number>> {
  const counts = { on: 0, off: 0, differ: 0 };
  for (const feature of features) counts[viewOf(feature)] += 1;
  return counts;
}

/** A row of the results: a feature for one context. The first of a feature has its name. */
export interface ResultRow {
  readonly feature: FeatureDecisions;
  readonly context: number;
  readonly isFirst: boolean;
}

export const rowsOf = (
  { features, contexts }: Pick<Decisions, 'features' | 'contexts'>,
  show: View | undefined,
): ResultRow[] =>
  features
    .filter((feature) => show === undefined || viewOf(feature) === show)
    .flatMap((feature) =>
      contexts.map((_, context) => ({ feature, context, isFirst: context === 0 })),
    );
