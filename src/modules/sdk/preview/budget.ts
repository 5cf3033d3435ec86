import { expressionSize } from '../../../platform/expression-size.ts';
import type { ConstraintDefinition } from '../evaluation/index.ts';

/** Limits the work of a preview. It counts steps of about 0.1 µs and not time, so that the result is the same on every machine. */
export interface Budget {
  /** Returns false if it is used up. */
  readonly take: (steps: number) => boolean;
}

/** About a second, in slices between which others are served. */
const maxSteps = 10_000_000;

export function createBudget(): Budget {
  let left = maxSteps;
  return {
    take(steps) {
      left -= steps;
      return left >= 0;
    },
  };
}

/** The steps of one constraint without its texts. */
const ownSteps = 5;
/** No expression is matched with a longer text. */
const maxMatchedLength = 1_000;

/** The steps of testing constraints with a text of a length. */
export function stepsOf(constraints: readonly ConstraintDefinition[]): (length: number) => number {
  let perCharacter = 0;
  for (const { operator, value, values } of constraints) {
    if (operator === 'REGEX' && value) perCharacter += expressionSize(value);
    if (operator.startsWith('STR_')) {
      perCharacter += (values ?? []).reduce((sum, each) => sum + each.length, 0) / 100;
    }
  }
  return (length) =>
    constraints.length * ownSteps + perCharacter * Math.min(length, maxMatchedLength);
}
