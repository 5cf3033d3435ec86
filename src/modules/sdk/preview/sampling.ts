import { compile, type FeatureDefinition } from '../evaluation/index.ts';
import { contextOf } from '../playground/index.ts';
import type { Combination } from './combinations.ts';
import { type Field, generatedValue, type ValueClass } from './fields.ts';

/** Percentages are whole numbers: with one user in each of 100 buckets, the share of a rollout is exact. */
const buckets = 100;
/** How many generated values are looked at to fill the buckets. */
const maxLooked = 20_000;

/** Multiples of these are spread evenly between 0 and 1, and independently of each other: √5, √2, √3, and others. */
const irrational = [0.618_033_989, 0.414_213_562, 0.732_050_808, 0.645_751_311, 0.316_624_79];

/**
 * Numbers instead of chance, spread evenly over the draws of a context. Both states get the same ones, so that only a
 * difference between them makes a difference. Within a draw they are independent, as a rollout and its variants are.
 */
export function createChance() {
  let current = 0;
  let step = 1;
  let calls = 0;
  return {
    begin(draw: number, draws: number): void {
      current = draw + 0.5;
      step = 1 / draws;
      calls = 0;
    },
    next(): number {
      const by = calls === 0 ? step : (irrational[(calls - 1) % irrational.length] as number);
      calls += 1;
      return (current * by) % 1;
    },
  };
}

type Strategy = NonNullable<FeatureDefinition['strategies']>[number];

const isPartial = ({ disabled, parameters }: Strategy): boolean => {
  const percentage = Number(parameters?.rollout ?? parameters?.percentage ?? 100);
  return !disabled && percentage > 0 && percentage < 100;
};

/** How often users are split independently: by rollouts of different groups, and by variants. */
export function countSplits(definitions: readonly FeatureDefinition[]): number {
  const strategies = definitions.flatMap(({ strategies: own }) => own ?? []);
  const rollouts = new Set(
    strategies
      .filter(isPartial)
      .map(({ name, parameters }) =>
        JSON.stringify([name, parameters?.groupId, parameters?.stickiness]),
      ),
  );
  const variants = [...definitions, ...strategies].filter(
    (each) => (each.variants ?? []).length > 1,
  );
  return rollouts.size + variants.length;
}

/**
 * Returns the bucket of a value, by the first rollout of these features, or by the first variants if there is none. It
 * is evaluated, and read from the explanation.
 */
function bucketing(definitions: readonly FeatureDefinition[], field: string) {
  const [first] = definitions;
  const rollout = definitions.flatMap(({ strategies }) => strategies ?? []).find(isPartial);
  const alone: FeatureDefinition = rollout
    ? {
        ...(first as FeatureDefinition),
        enabled: true,
        dependencies: [],
        strategies: [{ ...rollout, constraints: [], segments: [] }],
      }
    : { ...(first as FeatureDefinition), enabled: true, dependencies: [], strategies: [] };
  const { explain } = compile({ features: [alone] });
  return (value: string): number | undefined => {
    const { strategies, variant } = explain(alone.name, contextOf({ [field]: value }));
    const condition = strategies[0]?.condition;
    if (condition?.kind === 'rollout') return condition.bucket;
    if (variant?.bucket === undefined) return undefined;
    return Math.ceil((variant.bucket * buckets) / variant.totalWeight);
  };
}

/** So many generated values of a sticky field, equally many in each bucket. */
export function* sampleValues(
  field: Field,
  definitions: readonly FeatureDefinition[],
  count: number,
): Generator<void, string[]> {
  const bucketOf = bucketing(definitions, field.name);
  const most = count / buckets;
  const filled = new Map<number, number>();
  const values: string[] = [];
  const spare: string[] = [];
  for (let number = 1; number <= maxLooked && values.length < count; number += 1) {
    const value = generatedValue(field.name, number);
    if (!field.isLikeOther(value)) continue;
    const bucket = bucketOf(value) ?? (number % buckets) + 1;
    const already = filled.get(bucket) ?? 0;
    if (already < most) {
      filled.set(bucket, already + 1);
      values.push(value);
    } else if (spare.length < count) spare.push(value);
    yield;
  }
  // Few values are like others if a constraint excludes most of them.
  const found = [...values, ...spare].slice(0, count);
  return found.length > 0 ? found : [field.other];
}

/** The values of sticky fields that one combination is evaluated with, draw by draw. */
export function drawsOf(
  fields: readonly Field[],
  combination: Combination,
  samples: ReadonlyMap<string, readonly string[]>,
  max: number,
): {
  readonly draws: number;
  /** Whether one of the fields has no value. */
  readonly isMissing: boolean;
  readonly valuesAt: (draw: number) => Record<string, string>;
} {
  const classes = fields.map(
    (field, place) => field.classes[combination[place] as number] as ValueClass,
  );
  const lists = fields.flatMap((field, place) => {
    const { isMissing, isOther, values } = classes[place] as ValueClass;
    if (!field.isSticky || isMissing) return [];
    const own = isOther ? [...values, ...(samples.get(field.name) ?? [field.other])] : values;
    return [{ name: field.name, values: own.slice(0, max), isSample: isOther }];
  });
  let stride = 1;
  // Every named value meets every other one. Samples are numerous enough to be used in turn.
  const readers = lists.map(({ name, values, isSample }) => {
    const step = isSample ? 1 : stride;
    if (!isSample) stride *= values.length;
    return {
      name,
      at: (draw: number) => values[Math.floor(draw / step) % values.length] as string,
    };
  });
  const draws = Math.min(max, Math.max(stride, ...lists.map(({ values }) => values.length)));
  return {
    draws,
    isMissing: fields.some(({ isSticky }, place) => isSticky && classes[place]?.isMissing),
    valuesAt: (draw) => Object.fromEntries(readers.map(({ name, at }) => [name, at(draw)])),
  };
}
