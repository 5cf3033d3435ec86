import type { Facts } from './compiled.ts';
import type { EvaluatedVariant, VariantDefinition } from './definition.ts';
import type { ChoiceExplanation } from './explanation.ts';
import type { Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf } from './stickiness.ts';

/** Differs from the seed of rollouts. Otherwise all users in the first tenth would get the first variant. */
const seed = 86_028_157;

export interface ChoiceTrace {
  choice?: ChoiceExplanation;
}

export interface Choice {
  readonly variants: readonly VariantDefinition[];
  /** Whether every context gets the same variant. */
  readonly isFixed: boolean;
  /** Returns the index of the variant. */
  readonly choose: (facts: Facts, trace?: ChoiceTrace) => number;
}

interface Sharing {
  readonly variants: readonly VariantDefinition[];
  readonly group: string;
  /** The stickiness if the variants have none. */
  readonly stickiness?: string | undefined;
}

interface Override {
  readonly at: number;
  readonly contextName: string;
  /** Returns the value for which it selects the variant. */
  readonly valueIn: (facts: Facts) => string | undefined;
}

export const noVariant = (featureEnabled: boolean): EvaluatedVariant =>
  Object.freeze({ name: 'disabled', enabled: false, feature_enabled: featureEnabled });

export function evaluatedVariant({ name, payload }: VariantDefinition): EvaluatedVariant {
  return Object.freeze({
    name,
    enabled: true,
    ...(payload && { payload: Object.freeze({ ...payload }) }),
    feature_enabled: true,
  });
}

function compileOverrides(variants: readonly VariantDefinition[], reading: Reading): Override[] {
  return variants.flatMap(({ overrides }, at) =>
    (overrides ?? []).map(({ contextName, values }) => {
      const set = new Set(values ?? []);
      const read = reading.text(contextName);
      const valueIn = (facts: Facts) => {
        const value = read(facts);
        return value !== undefined && set.has(value) ? value : undefined;
      };
      return { at, contextName, valueIn };
    }),
  );
}

/** Compiles the choice between variants. Returns undefined if their total weight is zero. */
export function compileChoice(
  { variants, group, stickiness: inherited }: Sharing,
  reading: Reading,
  chance: Chance,
): Choice | undefined {
  // Integers, so that every bucket belongs to a variant.
  const weights = variants.map(({ weight }) => Math.max(0, Math.trunc(weight) || 0));
  const ends: number[] = [];
  let totalWeight = 0;
  for (const weight of weights) {
    totalWeight += weight;
    ends.push(totalWeight);
  }
  if (totalWeight === 0) return undefined;

  const stickiness = variants[0]?.stickiness || inherited || 'default';
  const sorter = compileSorter(
    {
      group,
      seed,
      stickiness,
      buckets: totalWeight,
      defaultFields: ['userId', 'sessionId', 'remoteAddress'],
      otherwise: 'chance',
    },
    reading,
    chance,
  );
  const overrides = compileOverrides(variants, reading);
  /**
   * Returns the first variant whose range reaches the bucket. The range of one without weight ends where the previous
   * one's does.
   */
  const owner = (bucket: number) => {
    let at = 0;
    while ((ends[at] as number) < bucket) at += 1;
    return at;
  };
  const sole = weights.indexOf(totalWeight);
  const about = (at: number) => ({
    variant: (variants[at] as VariantDefinition).name,
    ...{ at, stickiness, group, totalWeight },
  });

  return {
    variants,
    isFixed: overrides.length === 0 && sole >= 0,
    choose(facts, trace) {
      for (const { at, contextName, valueIn } of overrides) {
        const value = valueIn(facts);
        if (value === undefined) continue;
        if (trace)
          trace.choice = { ...about(at), override: { contextName, value }, byChance: false };
        return at;
      }
      // No bucket is needed, and without chance the result can be cached.
      if (!trace && sole >= 0) return sole;
      const bucket = bucketOf(sorter, facts);
      const at = owner(bucket);
      if (trace) {
        const field = fieldOf(sorter, facts);
        const to = ends[at] as number;
        trace.choice = {
          ...about(at),
          field,
          value: field && reading.text(field)(facts),
          bucket,
          from: to - (weights[at] as number) + 1,
          to,
          byChance: field === undefined,
        };
      }
      return at;
    },
  };
}
