import { isDeepStrictEqual } from 'node:util';
import {
  completeConstraint,
  type SetConstraint,
} from '../../../../catalogue/context-fields/index.ts';
import { parameterFaults, type StrategyShape } from '../../../../catalogue/strategy-types/index.ts';
import { type Strategy, strategyFromInput } from '../../../features/index.ts';
import type { ImportDocument } from '../../document-schema.ts';
import type { Current } from './current.ts';
import type { Findings } from './findings.ts';

export type DocumentStrategy = ImportDocument['featureStrategies'][number];

/** The key of a constraint in maps. */
export const keyOf = (constraint: SetConstraint): string =>
  JSON.stringify(completeConstraint(constraint));

export interface StrategyChange {
  readonly removed: readonly Strategy[];
  readonly added: readonly StrategyShape[];
}

interface StrategyContext {
  readonly current: Current;
  readonly feature: string;
  /** Names of segments, by their ids in the document. */
  readonly segmentNames: ReadonlyMap<number, string>;
}

/** Sorts strategies. If two share a sort order, all are numbered anew. */
function inOrder(strategies: readonly StrategyShape[]): StrategyShape[] {
  const sorted = [...strategies].sort((a, b) => a.sortOrder - b.sortOrder);
  const distinct = sorted.every(
    ({ sortOrder }, index) => index === 0 || sortOrder > (sorted[index - 1]?.sortOrder ?? 0),
  );
  return distinct ? sorted : sorted.map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
}

/** Everything that SDKs see of a strategy. They see the order of the list, not the numbers. */
const evaluated = ({
  name,
  title,
  disabled,
  constraints,
  variants,
  parameters,
  segments,
}: StrategyShape) => ({ name, title, disabled, constraints, variants, parameters, segments });

const alike = (before: readonly StrategyShape[], after: readonly StrategyShape[]): boolean =>
  isDeepStrictEqual(before.map(evaluated), after.map(evaluated));

/** Replaces all strategies of a feature, unless they are as the document says. */
export function planStrategies(
  context: StrategyContext,
  before: readonly Strategy[],
  strategies: readonly DocumentStrategy[],
  errors: Findings,
): StrategyChange {
  const after = inOrder(strategies.map((strategy) => strategyOf(context, strategy, errors)));
  if (alike(before, after)) return { removed: [], added: [] };
  const existing = before.map(evaluated);
  for (const strategy of after) {
    // A strategy that the feature has already may stay, even if rules have become stricter since.
    const isNew = !existing.some((each) => isDeepStrictEqual(each, evaluated(strategy)));
    if (isNew) findFaults(context, strategy, errors);
  }
  return { removed: before, added: after };
}

function strategyOf(
  { current, feature, segmentNames }: StrategyContext,
  { featureName: _, ...input }: DocumentStrategy,
  errors: Findings,
): StrategyShape {
  const segments = (input.segments ?? []).flatMap((id) => {
    const name = segmentNames.get(id) ?? String(id);
    const own = current.segments.get(name);
    if (own === undefined) {
      errors.add(
        `Missing segments. Create them globally or in '${current.project.id}' first`,
        name,
      );
      return [];
    }
    return [own];
  });
  const { defaultStickiness } = current.project;
  return strategyFromInput(
    { ...input, segments },
    { feature: { name: feature }, state: { defaultStickiness } },
    { isStored: true },
  );
}

function findFaults(
  { current, feature }: StrategyContext,
  { name, parameters, constraints }: StrategyShape,
  errors: Findings,
): void {
  const type = current.strategyTypes.get(name);
  if (!type) errors.add('Missing strategy types. Create them first', name);
  for (const { message } of parameterFaults(type?.parameters ?? [], parameters, '')) {
    errors.add('Strategies with missing required parameters', `${feature}: ${name} ${message}`);
  }
  for (const constraint of constraints) {
    for (const message of current.illegal.get(keyOf(constraint)) ?? []) {
      errors.add('Constraint values not allowed by their context fields', `${feature}: ${message}`);
    }
  }
}
