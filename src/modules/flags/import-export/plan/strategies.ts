import { isDeepStrictEqual } from 'node:util';
import { completeConstraint, type SetConstraint } from '../../../catalogue/context-fields/index.ts';
import { parameterFaults, type StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { Strategy } from '../../features/index.ts';
import { wished } from '../../strategies/index.ts';
import type { ImportDocument } from '../contract/document.ts';
import type { Current } from './current.ts';
import type { Findings } from './findings.ts';

export type WishedStrategy = ImportDocument['featureStrategies'][number];

/** One text per constraint, for maps of them. */
export const keyOf = (constraint: SetConstraint): string =>
  JSON.stringify(completeConstraint(constraint));

export interface StrategyChange {
  readonly removed: readonly Strategy[];
  readonly added: readonly StrategyShape[];
}

interface Place {
  readonly current: Current;
  readonly feature: string;
  /** Names of segments, by their ids in the document. */
  readonly segmentNames: ReadonlyMap<number, string>;
}

/** The strategies of a feature in their order; places that two of them share are given anew. */
function inOrder(strategies: readonly StrategyShape[]): StrategyShape[] {
  const sorted = [...strategies].sort((a, b) => a.sortOrder - b.sortOrder);
  const distinct = sorted.every(
    ({ sortOrder }, index) => index === 0 || sortOrder > (sorted[index - 1]?.sortOrder ?? 0),
  );
  return distinct ? sorted : sorted.map((strategy, sortOrder) => ({ ...strategy, sortOrder }));
}

/** All that SDKs see of a strategy: the order is that of the list, whatever the places are called. */
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

/** Strategies are replaced as a whole; those that are as the document says stay. */
export function planStrategies(
  place: Place,
  before: readonly Strategy[],
  wishes: readonly WishedStrategy[],
  errors: Findings,
): StrategyChange {
  const after = inOrder(wishes.map((wish) => strategyOf(place, wish, errors)));
  if (alike(before, after)) return { removed: [], added: [] };
  const known = before.map(evaluated);
  for (const strategy of after) {
    // What the feature has already may stay, even where rules have become stricter meanwhile.
    const isNew = !known.some((each) => isDeepStrictEqual(each, evaluated(strategy)));
    if (isNew) findFaults(place, strategy, errors);
  }
  return { removed: before, added: after };
}

function strategyOf(
  { current, feature, segmentNames }: Place,
  { featureName: _, ...wish }: WishedStrategy,
  errors: Findings,
): StrategyShape {
  const segments = (wish.segments ?? []).flatMap((id) => {
    const name = segmentNames.get(id) ?? String(id);
    const own = current.segments.get(name);
    if (own === undefined) {
      errors.add(
        `These segments have to be created first, for all projects or in '${current.project.id}'`,
        name,
      );
      return [];
    }
    return [own];
  });
  const { defaultStickiness } = current.project;
  return wished(
    { ...wish, segments },
    { feature: { name: feature }, state: { defaultStickiness } },
  );
}

function findFaults(
  { current, feature }: Place,
  { name, parameters, constraints }: StrategyShape,
  errors: Findings,
): void {
  const type = current.strategyTypes.get(name);
  if (!type) errors.add('These strategy types have to be created first', name);
  for (const { message } of parameterFaults(type?.parameters ?? [], parameters, '')) {
    errors.add(
      'These strategies do not have the parameters that their types ask for',
      `${feature}: ${name} ${message}`,
    );
  }
  for (const constraint of constraints) {
    for (const message of current.illegal.get(keyOf(constraint)) ?? []) {
      errors.add(
        'These values of constraints are not legal for their context fields',
        `${feature}: ${message}`,
      );
    }
  }
}
