import type { Conditions } from './conditions.ts';
import type { Field, ValueClass } from './fields.ts';

/** The index of a class for each field. */
export type Combination = readonly number[];

const classOf = (field: Field, index: number): ValueClass => field.classes[index] as ValueClass;

/** The combination for which all constraints of a strategy hold, as far as there is one. */
function wished(fields: readonly Field[], strategy: Conditions['strategies'][number]): Combination {
  return fields.map((field) => {
    const own = strategy.filter(({ contextName }) => contextName === field.name);
    const found = field.classes.findIndex(({ holds }) => own.every(holds));
    return Math.max(found, 0);
  });
}

function* all(fields: readonly Field[]): Generator<Combination> {
  const total = fields.reduce((product, { classes }) => product * classes.length, 1);
  for (let number = 0; number < total; number += 1) {
    let rest = number;
    yield fields.map(({ classes }) => {
      const index = rest % classes.length;
      rest = Math.floor(rest / classes.length);
      return index;
    });
  }
}

/** Combinations that differ from another one in these fields only. */
function* varied(fields: readonly Field[], from: Combination, places: readonly number[]) {
  for (const indexes of all(places.map((place) => fields[place] as Field))) {
    const combination = [...from];
    for (const [at, place] of places.entries()) combination[place] = indexes[at] as number;
    yield combination;
  }
}

/** First what each strategy wants, then that with one other value, then with two. */
function* mostUseful(fields: readonly Field[], wishes: readonly Combination[]) {
  yield* wishes;
  for (const wish of wishes) {
    for (const place of fields.keys()) yield* varied(fields, wish, [place]);
  }
  for (const wish of wishes) {
    for (const one of fields.keys()) {
      for (let other = 0; other < one; other += 1) yield* varied(fields, wish, [one, other]);
    }
  }
}

interface Selection {
  readonly combinations: readonly Combination[];
  readonly isComplete: boolean;
}

/** All combinations of values, or the most useful ones if there are too many. */
export function* selectCombinations(
  fields: readonly Field[],
  conditions: readonly Conditions[],
  max: number,
): Generator<void, Selection> {
  const total = fields.reduce((product, { classes }) => product * classes.length, 1);
  if (total <= max) return { combinations: [...all(fields)], isComplete: true };
  const wishes = [
    fields.map(() => 0),
    ...conditions.flatMap(({ strategies }) => strategies.map((each) => wished(fields, each))),
  ];
  const chosen = new Map<string, Combination>();
  for (const combination of mostUseful(fields, wishes)) {
    chosen.set(combination.join(), combination);
    if (chosen.size >= max) break;
    yield;
  }
  return { combinations: [...chosen.values()], isComplete: false };
}

/** A condition on a context field, in words: `SET` and `MISSING` have no values. */
export interface Condition {
  readonly contextName: string;
  readonly operator: 'IN' | 'NOT_IN' | 'SET' | 'MISSING';
  readonly values: string[];
  /** How many values are left out. */
  readonly more: number;
}

const maxListed = 10;

function conditionOf(field: Field, isIn: (index: number) => boolean): Condition | undefined {
  if (!field.isListed) return undefined;
  const inside = field.classes.filter((_, index) => isIn(index));
  const outside = field.classes.filter((_, index) => !isIn(index));
  const condition = (operator: Condition['operator'], classes: readonly ValueClass[]) => {
    const values = classes.flatMap((each) => each.values);
    return {
      contextName: field.name,
      operator,
      values: values.slice(0, maxListed),
      more: Math.max(0, values.length - maxListed),
    };
  };
  const misses = outside.some(({ isMissing }) => isMissing);
  if (inside.some(({ isOther }) => isOther)) {
    if (!misses) return condition('NOT_IN', outside);
    return outside.length === 1 ? condition('SET', []) : undefined;
  }
  if (!inside.some(({ isMissing }) => isMissing)) return condition('IN', inside);
  return inside.length === 1 ? condition('MISSING', []) : undefined;
}

/** More conditions are no description that someone reads. */
const maxConditions = 5;

/**
 * Describes combinations by one condition for each field. Returns undefined if that would be wrong: for ranges, and if
 * the conditions depend on each other.
 */
export function describe(
  fields: readonly Field[],
  combinations: readonly Combination[],
): Condition[] | undefined {
  const used = fields.map((_, place) => new Set(combinations.map((each) => each[place] as number)));
  const product = used.reduce((size, indexes) => size * indexes.size, 1);
  if (product !== combinations.length) return undefined;
  const conditions: Condition[] = [];
  for (const [place, field] of fields.entries()) {
    const indexes = used[place] as Set<number>;
    if (indexes.size === field.classes.length) continue;
    const condition = conditionOf(field, (index) => indexes.has(index));
    if (!condition) return undefined;
    conditions.push(condition);
  }
  return conditions.length > maxConditions ? undefined : conditions;
}

/** The values of a combination, without those of sticky fields. */
export function fixedValues(
  fields: readonly Field[],
  combination: Combination,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [place, field] of fields.entries()) {
    const { isMissing, values: own } = classOf(field, combination[place] as number);
    if (field.isSticky || isMissing) continue;
    values[field.name] = own[0] ?? field.other;
  }
  return values;
}
