import { compileExpression, type Expression } from '../../../platform/regular-expression.ts';
import { addressList } from './address-list.ts';
import type { Facts } from './compiled.ts';
import type { ConstraintDefinition } from './definition.ts';
import { instantOf, numberOf, type Reader, type Reading, versionOf } from './reading.ts';

type Test = (facts: Facts) => boolean;

/** Compiles a constraint without its inversion. Returns undefined if the constraint is invalid. */
type Operator = (constraint: ConstraintDefinition, reading: Reading) => Test | undefined;

/** Takes steps. Returns false once they exceed the limit, and from then on in this evaluation. */
function mayTake(steps: number, facts: Facts): boolean {
  if (facts.stepsLeft < 0) return false;
  facts.stepsLeft -= Math.ceil(steps);
  return facts.stepsLeft >= 0;
}

/**
 * Matches a text within the step limit. The constraint does not hold, inverted or not, if the text takes too many steps
 * or `stepsFor` returns undefined.
 */
function limited(
  { inverted }: ConstraintDefinition,
  read: Reader<string>,
  stepsFor: (text: string) => number | undefined,
  matches: (text: string) => boolean,
): Test {
  return (facts) => {
    const text = read(facts);
    if (text === undefined) return false;
    const steps = stepsFor(text);
    const isMatched = steps !== undefined && mayTake(steps, facts);
    return isMatched ? matches(text) : inverted === true;
  };
}

const items = ({ values }: ConstraintDefinition): readonly string[] => values ?? [];

const among = (wanted: boolean): Operator => {
  return (constraint, reading) => {
    // SDKs trim items and ignore empty ones, whatever `caseInsensitive` says.
    const set = new Set(items(constraint).map((item) => item.trim()));
    set.delete('');
    const read = reading.text(constraint.contextName);
    return (facts) => {
      const text = read(facts);
      return (text !== undefined && set.has(text)) === wanted;
    };
  };
};

/** How many characters are compared in the time of one step. */
const comparedInAStep = 100;

/** Searches parts of a text. A part of 2,000 characters is compared at 2,000 positions: 4 ms, for each of 250 parts. */
const part = (matches: (text: string, part: string) => boolean): Operator => {
  return (constraint, reading) => {
    const { contextName, caseInsensitive } = constraint;
    const read = caseInsensitive ? reading.lowerCase(contextName) : reading.text(contextName);
    const parts = items(constraint).map((item) => (caseInsensitive ? item.toLowerCase() : item));
    const length = parts.reduce((sum, item) => sum + item.length, 0);
    return limited(
      constraint,
      read,
      (text) => (text.length * length) / comparedInAStep,
      (text) => parts.some((item) => matches(text, item)),
    );
  };
};

/** Compares the context's value with the constraint's, if both can be parsed. */
function comparison<T>(
  operand: (text: string) => T | undefined,
  reader: (reading: Reading, field: string) => Reader<T>,
  holds: (actual: T, wanted: T) => boolean,
): Operator {
  return ({ contextName, value }, reading) => {
    const wanted = operand(value ?? '');
    if (wanted === undefined) return undefined;
    const read = reader(reading, contextName);
    return (facts) => {
      const actual = read(facts);
      return actual !== undefined && holds(actual, wanted);
    };
  };
}

const numeric = (holds: (actual: number, wanted: number) => boolean): Operator =>
  comparison(numberOf, (reading, field) => reading.number(field), holds);

const temporal = (holds: (actual: number, wanted: number) => boolean): Operator =>
  comparison(instantOf, (reading, field) => reading.instant(field), holds);

const versioned = (holds: (order: number) => boolean): Operator =>
  comparison(
    versionOf,
    (reading, field) => reading.version(field),
    (actual, wanted) => holds(actual.compare(wanted)),
  );

/** Longer texts match nothing. No id, address or user agent is as long. */
const maxMatchedLength = 1_000;

function expressionOf({ value, caseInsensitive }: ConstraintDefinition): Expression | undefined {
  if (!value) return undefined;
  try {
    return compileExpression(value, caseInsensitive ?? false);
  } catch {
    return undefined;
  }
}

/** RE2 matches every expression in linear time. Syntax that it lacks is invalid, even if other engines accept it. */
const pattern: Operator = (constraint, reading) => {
  const expression = expressionOf(constraint);
  if (expression === undefined) return undefined;
  return limited(
    constraint,
    reading.text(constraint.contextName),
    ({ length }) => (length > maxMatchedLength ? undefined : expression.size * length),
    expression.isFoundIn,
  );
};

const network: Operator = (constraint, reading) => {
  const includes = addressList(items(constraint));
  const read = reading.address(constraint.contextName);
  return (facts) => {
    const address = read(facts);
    return address !== undefined && includes(address);
  };
};

export const operators: ReadonlyMap<string, Operator> = new Map([
  ['IN', among(true)],
  ['NOT_IN', among(false)],
  ['STR_CONTAINS', part((text, item) => text.includes(item))],
  ['STR_STARTS_WITH', part((text, item) => text.startsWith(item))],
  ['STR_ENDS_WITH', part((text, item) => text.endsWith(item))],
  ['NUM_EQ', numeric((actual, wanted) => actual === wanted)],
  ['NUM_GT', numeric((actual, wanted) => actual > wanted)],
  ['NUM_GTE', numeric((actual, wanted) => actual >= wanted)],
  ['NUM_LT', numeric((actual, wanted) => actual < wanted)],
  ['NUM_LTE', numeric((actual, wanted) => actual <= wanted)],
  ['DATE_AFTER', temporal((actual, wanted) => actual > wanted)],
  ['DATE_BEFORE', temporal((actual, wanted) => actual < wanted)],
  ['SEMVER_EQ', versioned((order) => order === 0)],
  ['SEMVER_GT', versioned((order) => order > 0)],
  ['SEMVER_GTE', versioned((order) => order >= 0)],
  ['SEMVER_LT', versioned((order) => order < 0)],
  ['SEMVER_LTE', versioned((order) => order <= 0)],
  ['REGEX', pattern],
  ['IN_CIDR', network],
]);
