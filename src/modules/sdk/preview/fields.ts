import type { Clock } from '../../../platform/clock.ts';
import { type ConstraintDefinition, createCompiler } from '../evaluation/index.ts';
import { contextOf, type FlatContext } from '../playground/index.ts';
import { type Budget, stepsOf } from './budget.ts';
import type { Conditions } from './conditions.ts';
import { boundaryValues, namedValues } from './values.ts';

/** Values of a field for which the same constraints hold, so that one of them stands for all. */
export interface ValueClass {
  /** Those that constraints name. Without any, it has a generated one. */
  readonly values: readonly string[];
  /** Whether a context without the field is among them. */
  readonly isMissing: boolean;
  /** Whether values that no constraint names are among them. */
  readonly isOther: boolean;
  /** The constraints that hold. */
  readonly holds: (constraint: ConstraintDefinition) => boolean;
}

/** A context field on which decisions depend. */
export interface Field {
  readonly name: string;
  /** Whether users are split by its value, so that it matters which of the values it is. */
  readonly isSticky: boolean;
  /** Whether all its constraints are lists of values. */
  readonly isListed: boolean;
  readonly classes: readonly ValueClass[];
  /** A value that no constraint names. */
  readonly other: string;
  /** Whether a value is treated like those that no constraint names. */
  readonly isLikeOther: (value: string) => boolean;
}

interface FoundFields {
  readonly fields: readonly Field[];
  /** Constraints for which no value was found. */
  readonly unmatched: readonly ConstraintDefinition[];
  readonly isTruncated: boolean;
}

/** Constraints can list thousands of values, most of which are treated alike. */
const maxValues = 2_000;
/** Longer values are left out, so that examples can be read. */
const maxValueLength = 500;
/** As many as a context of the playground may have. */
const maxFields = 100;
/** Of a sticky field, so many values of a class are tried one by one. */
const maxTried = 100;

const keyOf = ({
  contextName,
  operator,
  values,
  value,
  inverted,
  caseInsensitive,
}: ConstraintDefinition) =>
  JSON.stringify([contextName, operator, values, value, inverted, caseInsensitive]);

const allOf = ({ strategies, others }: Conditions): ConstraintDefinition[] => [
  ...strategies.flat(),
  ...others,
];

/** Values that only one of the states names come first: they are the most likely to make a difference. */
function valuesFor(sides: readonly (readonly ConstraintDefinition[])[]): string[] {
  const [before = new Set<string>(), after = new Set<string>()] = sides.map(
    (constraints) => new Set(constraints.flatMap(namedValues)),
  );
  const all = [...new Set([...before, ...after])];
  const inOne = all.filter((value) => before.has(value) !== after.has(value));
  const inBoth = all.filter((value) => before.has(value) && after.has(value));
  return [...new Set([...inOne, ...boundaryValues(sides.flat()), ...inBoth])];
}

/** A value that no constraint names, such as `user-1` for `userId`. */
export const generatedValue = (field: string, number: number): string =>
  `${field.replace(/Id$/, '') || field}-${number}`;

interface FieldSources {
  readonly budget: Budget;
  readonly now: Clock;
  /** What every context has. */
  readonly base: FlatContext;
}

/** Finds the classes of a field's values by evaluating each of its constraints alone. */
function* findField(
  name: string,
  sides: readonly (readonly ConstraintDefinition[])[],
  isSticky: boolean,
  { budget, now, base }: FieldSources,
): Generator<void, { field: Field; unmatched: ConstraintDefinition[]; isTruncated: boolean }> {
  const distinct = new Map(sides.flat().map((constraint) => [keyOf(constraint), constraint]));
  const constraints = [...distinct.values()];
  const keys = [...distinct.keys()];
  const evaluator = yield* createCompiler({ now })({
    features: constraints.map((constraint, at) => ({
      name: String(at),
      enabled: true,
      strategies: [{ name: 'default', constraints: [constraint] }],
    })),
  });
  const stepsFor = stepsOf(constraints);
  const resultsOf = (value: string | undefined): string => {
    const context = value === undefined ? base : { ...base, [name]: value };
    const { outcomes } = evaluator.decideAll(contextOf(context));
    return outcomes.map(({ evaluation }) => (evaluation.enabled ? '1' : '0')).join('');
  };

  const all = valuesFor(sides);
  const used = all.filter(({ length }) => length <= maxValueLength).slice(0, maxValues);
  let isTruncated = used.length < all.length;
  const byResults = new Map<string, string[]>();
  for (const value of used) {
    if (!budget.take(stepsFor(value.length))) {
      isTruncated = true;
      break;
    }
    const results = resultsOf(value);
    const values = byResults.get(results) ?? [];
    byResults.set(results, values);
    values.push(value);
    yield;
  }
  const ofMissing = resultsOf(undefined);
  const isNamed = new Set(all);
  let number = 1;
  while (isNamed.has(generatedValue(name, number))) number += 1;
  const other = generatedValue(name, number);
  // Without `currentTime` the current time counts, so no context has a time that is none.
  const ofOther = name === 'currentTime' ? ofMissing : resultsOf(other);

  const classOf = (results: string, kind: Partial<ValueClass>): ValueClass => {
    const held = new Set(keys.filter((_, at) => results[at] === '1'));
    return {
      values: byResults.get(results) ?? [],
      isMissing: false,
      isOther: false,
      ...kind,
      holds: (constraint) => held.has(keyOf(constraint)),
    };
  };
  const isOneClass = ofMissing === ofOther && !isSticky;
  const classes = isOneClass
    ? [classOf(ofMissing, { isMissing: true, isOther: true })]
    : [
        classOf(ofOther, { isOther: true }),
        // A value that is named but treated like none is no context without the field.
        classOf(ofMissing, { isMissing: true, values: [] }),
      ];
  for (const results of byResults.keys()) {
    if (results !== ofOther && (isSticky || results !== ofMissing))
      classes.push(classOf(results, {}));
  }
  const isHeldSomewhere = (_: ConstraintDefinition, at: number) =>
    [ofMissing, ofOther, ...byResults.keys()].some((results) => results[at] === '1');
  return {
    field: {
      name,
      isSticky,
      isListed: constraints.every(({ operator }) => operator === 'IN' || operator === 'NOT_IN'),
      classes: classes.map((each) => ({
        ...each,
        values: each.values.slice(0, isSticky ? maxTried : maxValues),
      })),
      other,
      isLikeOther: (value) =>
        !isNamed.has(value) && (constraints.length === 0 || resultsOf(value) === ofOther),
    },
    unmatched: constraints.filter((constraint, at) => !isHeldSomewhere(constraint, at)),
    isTruncated,
  };
}

/** The fields on which the decisions of two states depend. */
export function* findFields(
  conditions: readonly [Conditions, Conditions],
  sources: FieldSources,
): Generator<void, FoundFields> {
  const sides = conditions.map(allOf);
  const sticky = new Set(conditions.flatMap(({ stickyFields }) => [...stickyFields]));
  const names = new Set([...sticky, ...sides.flat().map(({ contextName }) => contextName)]);
  const found: { field: Field; unmatched: ConstraintDefinition[]; isTruncated: boolean }[] = [];
  for (const name of [...names].slice(0, maxFields)) {
    const own = sides.map((side) => side.filter(({ contextName }) => contextName === name));
    found.push(yield* findField(name, own, sticky.has(name), sources));
  }
  return {
    fields: found.map(({ field }) => field),
    unmatched: found.flatMap(({ unmatched }) => unmatched),
    isTruncated: names.size > maxFields || found.some(({ isTruncated }) => isTruncated),
  };
}
