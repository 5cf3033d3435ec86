import { expressionSize } from '../../../platform/expression-size.ts';
import type { ConstraintDefinition } from '../evaluation/index.ts';
import type { DefinedFeature, Snapshot } from '../snapshot/index.ts';
import type { Fields } from './context.ts';

type Constraints = readonly ConstraintDefinition[];

/** The maximum number of steps to match the regular expressions of a feature with one context. */
export function createMatching(segments: Snapshot['segments'], fields: Fields) {
  const ofSegments = new Map<number, number>();

  function stepsOf(constraints: Constraints): number {
    let steps = 0;
    for (const { operator, contextName, value } of constraints) {
      const texts = operator === 'REGEX' && value ? fields.get(contextName) : undefined;
      if (!texts) continue;
      steps += expressionSize(value as string) * Math.max(...texts.map(({ length }) => length));
    }
    return steps;
  }

  function stepsOfSegment(id: number): number {
    const cached = ofSegments.get(id);
    if (cached !== undefined) return cached;
    const steps = stepsOf(segments.get(id)?.constraints ?? []);
    ofSegments.set(id, steps);
    return steps;
  }

  return ({ definition }: DefinedFeature): number =>
    (definition.strategies ?? []).reduce(
      (sum, { constraints, segments: ids }) =>
        sum +
        stepsOf(constraints ?? []) +
        (ids ?? []).reduce((all, id) => all + stepsOfSegment(id), 0),
      0,
    );
}
