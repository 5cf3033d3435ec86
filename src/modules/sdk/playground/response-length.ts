import type { DefinedFeature, DefinedSegment, Snapshot } from '../snapshot/index.ts';
import type { Fields } from './context.ts';

/** The explanation, ids, links and the names of all these fields. */
const decisionLength = 600;
const strategyLength = 500;

/** With one value of each field; the longest counts. */
export const contextLengthOf = (fields: Fields): number =>
  [...fields].reduce(
    (sum, [field, values]) => sum + field.length + Math.max(...values.map(({ length }) => length)),
    0,
  );

interface Weight {
  readonly length: number;
  readonly constraints: number;
}

/**
 * Estimates the length of the response for one feature and one context. Settings are repeated, variants twice, and
 * each constraint says which value it met.
 */
export function createEstimate(segments: Snapshot['segments'], contextLength: number) {
  const weights = new Map<number, Weight>();

  function weigh(segment: DefinedSegment): Weight {
    const { id, constraints } = segment;
    const cached = weights.get(id);
    if (cached) return cached;
    const weight = {
      length: JSON.stringify(constraints).length,
      constraints: constraints.length,
    };
    weights.set(id, weight);
    return weight;
  }

  return ({ definition }: DefinedFeature): number => {
    const strategies = definition.strategies ?? [];
    const used = strategies.flatMap((strategy) =>
      (strategy.segments ?? []).flatMap((id) => {
        const segment = segments.get(id);
        return segment ? [weigh(segment)] : [];
      }),
    );
    const own = strategies.reduce((sum, { constraints }) => sum + (constraints?.length ?? 0), 0);
    const constraints = used.reduce((sum, segment) => sum + segment.constraints, own);
    return (
      decisionLength +
      strategyLength * strategies.length +
      2 * JSON.stringify(definition).length +
      used.reduce((sum, { length }) => sum + length, 0) +
      contextLength * (1 + constraints)
    );
  };
}
