import type { EvaluatedVariant, VariantDefinition } from './definition.ts';
import type { Condition } from './operator.ts';
import type { Facts, Reading } from './reading.ts';
import { bucketOf, type Chance, compileSorter, fieldOf } from './stickiness.ts';

/** Another seed than that of rollouts: else those in the first tenth would all get the first variant. */
const seed = 86_028_157;

export interface Choice {
  readonly variants: readonly VariantDefinition[];
  /** The place of the variant in the list; a number where everybody gets the same. */
  readonly choose: number | ((facts: Facts) => number);
  readonly explain: (facts: Facts) => ChoiceExplanation;
}

export interface ChoiceExplanation {
  readonly variant: string;
  /** The place of the variant in its list. */
  readonly at: number;
  readonly stickiness: string;
  readonly group: string;
  readonly totalWeight: number;
  /** Set when the variant was given to this value, whatever its weight. */
  readonly override?: { readonly contextName: string; readonly value: string };
  /** The field of the context that decided, and what stood in it. */
  readonly field?: string;
  readonly value?: string;
  /** From 1 to the total weight, and the buckets that are the variant's. */
  readonly bucket?: number;
  readonly from?: number;
  readonly to?: number;
  readonly byChance: boolean;
}

interface Sharing {
  readonly variants: readonly VariantDefinition[];
  readonly group: string;
  /** What decides when the variants do not say. */
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

/** Who gets which variant; undefined when all of them together weigh nothing. */
export function compileChoice(
  { variants, group, stickiness: inherited }: Sharing,
  reading: Reading,
  chance: Chance,
): Choice | undefined {
  // Whole numbers, so that every bucket has an owner.
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
  /** The first whose share reaches as far: one without weight ends where its forerunner does. */
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
