import { RE2JS } from 're2js';
import { expressionSize } from './expression-size.ts';

/** Syntax of other engines that RE2 lacks because it cannot be matched in linear time. */
const lacking: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'look-ahead'],
  [/\(\?<[=!]/, 'look-behind'],
  [/\\[1-9]|\\k</, 'back-references'],
];

/**
 * The maximum number of instructions of a compiled expression. Matching takes instructions times characters steps of
 * about 0.1 µs: 50 ms for this many and 250 characters. `[a-z]{1,999}` just fits.
 */
export const maxExpressionSize = 2_000;

export interface Expression {
  /** An upper bound of the compiled size, in instructions. */
  readonly size: number;
  readonly isFoundIn: (text: string) => boolean;
  readonly isWhole: (text: string) => boolean;
}

/**
 * Compiles an expression. Throws for invalid syntax, returns undefined if it is too large. The caller checks its
 * length.
 */
export function compileExpression(text: string, ignoresCase = false): Expression | undefined {
  const size = expressionSize(text);
  if (size > maxExpressionSize) return undefined;
  const compiled = RE2JS.compile(text, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    size,
    // Not `test`: it caches up to 8 MB of states for each expression, and is no faster on short ones.
    isFoundIn: (given) => compiled.matcher(given).find(),
    isWhole: (given) => compiled.matcher(given).matches(),
  };
}

/** Returns why an expression is too large, or undefined. */
export function expressionSizeFault(expression: string): string | undefined {
  const size = expressionSize(expression);
  if (size <= maxExpressionSize) return undefined;
  return `it has ${size} steps after expanding repetitions; at most ${maxExpressionSize} are allowed`;
}

/** Returns why an expression is invalid or too large, or undefined. */
export function expressionFault(expression: string): string | undefined {
  try {
    return compileExpression(expression) ? undefined : expressionSizeFault(expression);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    const lacks = lacking.find(([construct]) => construct.test(expression))?.[1];
    return lacks ? `${reason} (patterns here have no ${lacks})` : reason;
  }
}
