import { compileExpression, type Expression } from '../../../platform/regular-expression.ts';
import { addressList } from './address-list.ts';
import type { ConstraintDefinition } from './definition.ts';
import {
  type Facts,
  instantOf,
  mayTake,
  numberOf,
  type Reader,
  type Reading,
  versionOf,
} from './reading.ts';

export type Condition = (facts: Facts) => boolean;

/** Compared by identity: a condition that depends on no context is decided at compile time. */
export const always: Condition = () => true;
export const never: Condition = () => false;

/** Compiles a constraint without its inversion. Returns undefined if the constraint is invalid. */
type Operator = (constraint: ConstraintDefinition, reading: Reading) => Condition | undefined;

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
    const { contextName, caseInsensitive, inverted } = constraint;
    const read = caseInsensitive ? reading.lowerCase(contextName) : reading.text(contextName);
    const parts = items(constraint).map((item) => (caseInsensitive ? item.toLowerCase() : item));
    const length = parts.reduce((sum, item) => sum + item.length, 0);
    return (facts) => {
      const text = read(facts);
      if (text === undefined) return false;
      const steps = (text.length * length) / comparedInAStep;
      // The constraint does not hold, inverted or not.
      if (!mayTake(steps, facts)) return inverted === true;
      for (const item of parts) if (matches(text, item)) return true;
      return false;
    };
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
  const { contextName, inverted } = constraint;
  const expression = expressionOf(constraint);
  if (expression === undefined) return undefined;
  const read = reading.text(contextName);
  // Matching takes microseconds, so this is the only operator whose result is worth caching for equal constraints.
  return reading.remembered((facts) => {
    const text = read(facts);
    if (text === undefined) return false;
    const isTooMuch =
      text.length > maxMatchedLength || !mayTake(expression.size * text.length, facts);
    // The constraint does not hold, inverted or not.
    return isTooMuch ? inverted === true : expression.isFoundIn(text);
  });
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
