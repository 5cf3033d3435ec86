import { isDeepStrictEqual } from 'node:util';
import type { Fault } from '../../../platform/errors.ts';
import { expressionSize } from '../../../platform/expression-size.ts';
import {
  expressionFault,
  expressionSizeFault,
  maxExpressionSize,
} from '../../../platform/regular-expression.ts';
import type { SetConstraint } from './constraint-schema.ts';

/**
 * REGEX constraints of one strategy, or of one segment. A segment's expressions do not count for the strategies that
 * use it: when it is saved, no one knows which ones will.
 */
const maxExpressions = 3;

/** The size of all expressions in a request that creates many strategies. Compiling that much takes about 50 ms. */
const maxSizeTogether = 20_000;

type Constraints = readonly Partial<SetConstraint>[];

const expressionIn = ({ operator, value }: Partial<SetConstraint>): string | undefined =>
  operator === 'REGEX' ? value : undefined;

function sizeOf(constraints: Constraints): number {
  return constraints.reduce((sum, each) => {
    const expression = expressionIn(each);
    return expression === undefined ? sum : sum + expressionSize(expression);
  }, 0);
}

/**
 * Returns a function that says why an expression cannot be used. It does not compile expressions that are too large
 * or too many. Stored ones may be both; `expressionFaults` refuses new ones.
 */
export function createReader(): (expression: string) => string | undefined {
  let read = 0;
  return (expression) => {
    read += 1;
    if (read > maxExpressions || expressionSizeFault(expression) !== undefined) return undefined;
    return expressionFault(expression);
  };
}

/** Faults of new expressions that exceed the limits. Stored ones may stay. */
export function expressionFaults(
  constraints: Constraints,
  path: string,
  before: Constraints = [],
): Fault[] {
  const expressions = constraints.flatMap((constraint, index) => {
    const expression = expressionIn(constraint);
    const isNew = !before.some((existing) => isDeepStrictEqual(existing, constraint));
    return expression === undefined ? [] : [{ expression, index, isNew }];
  });
  if (!expressions.some(({ isNew }) => isNew)) return [];
  if (expressions.length > maxExpressions) {
    const message = `${path} has ${expressions.length} REGEX constraints; at most ${maxExpressions} are allowed`;
    return [{ path, message }];
  }
  const faults = expressions.flatMap(({ expression, index, isNew }) => {
    const fault = isNew ? expressionSizeFault(expression) : undefined;
    const at = `${path}/${index}/value`;
    return fault === undefined ? [] : [{ path: at, message: `${at} is too large: ${fault}` }];
  });
  const size = sizeOf(constraints);
  if (faults.length > 0 || size <= maxExpressionSize) return faults;
  return [
    {
      path,
      message: `${path} has regular expressions that are too complex: ${size} steps in total; at most ${maxExpressionSize} are allowed`,
    },
  ];
}

/** The same for all lists of a request, before any expression is compiled. */
export function manyExpressionsFaults(lists: readonly Constraints[], path: string): Fault[] {
  const size = lists.reduce((sum, constraints) => sum + sizeOf(constraints), 0);
  if (size <= maxSizeTogether) return [];
  return [
    {
      path,
      message: `${path} has regular expressions that are too complex: ${size} steps in total; at most ${maxSizeTogether} are allowed in one request`,
    },
  ];
}
