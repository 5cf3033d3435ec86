import type { EvaluatedVariant, VariantDefinition } from './definition.ts';
import type { Condition } from './operator.ts';
import type { Facts, Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf } from './stickiness.ts';

/** Differs from the seed of rollouts. Otherwise all users in the first tenth would get the first variant. */
const seed = 86_028_157;

export interface Choice {
  readonly variants: readonly VariantDefinition[];
  /** Returns the index of the variant; a number if it is the same for every context. */
  readonly choose: number | ((facts: Facts) => number);
  readonly explain: (facts: Facts) => ChoiceExplanation;
}

export interface ChoiceExplanation {
  readonly variant: string;
  /** The index of the variant in its list. */
  readonly at: number;
  readonly stickiness: string;
  readonly group: string;
  readonly totalWeight: number;
  /** Set if an override selected the variant for this value, whatever its weight. */
  readonly override?: { readonly contextName: string; readonly value: string };
  /** The context field that decided, and its value. */
  readonly field?: string;
  readonly value?: string;
  /** The bucket, from 1 to the total weight, and the variant's range of buckets. */
  readonly bucket?: number;
  readonly from?: number;
  readonly to?: number;
  readonly byChance: boolean;
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
  readonly read: (facts: Facts) => string | undefined;
  readonly holds: Condition;
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
      const holds: Condition = (facts) => {
        const value = read(facts);
        return value !== undefined && set.has(value);
      };
      return { at, contextName, read, holds };
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
  const overriding = (facts: Facts) => overrides.find(({ holds }) => holds(facts));
  /**
   * Returns the first variant whose range reaches the bucket. The range of one without weight ends where the previous
   * one's does.
   */
  const owner = (bucket: number) => {
    let at = 0;
    while ((ends[at] as number) < bucket) at += 1;
    return at;
  };

  const shared = (facts: Facts) => owner(bucketOf(sorter, facts));
  const given = (facts: Facts) => overriding(facts)?.at ?? shared(facts);
  const sole = weights.indexOf(totalWeight);
  return {
    variants,
    choose: overrides.length > 0 ? given : sole >= 0 ? sole : shared,
    explain(facts) {
      const override = overriding(facts);
      const common = { stickiness, group, totalWeight };
      if (override !== undefined) {
        const { at, contextName, read } = override;
        const value = read(facts) as string;
        const variant = (variants[at] as VariantDefinition).name;
        return { variant, at, ...common, override: { contextName, value }, byChance: false };
      }
      const bucket = bucketOf(sorter, facts);
      const at = owner(bucket);
      const field = fieldOf(sorter, facts);
      const value = field === undefined ? undefined : reading.text(field)(facts);
      const to = ends[at] as number;
      return {
        variant: (variants[at] as VariantDefinition).name,
        at,
        ...common,
        ...(field !== undefined && { field }),
        ...(value !== undefined && { value }),
        bucket,
        from: to - (weights[at] as number) + 1,
        to,
        byChance: field === undefined,
      };
    },
  };
}
