import { RE2JS } from 're2js';
import { expressionSize } from './expression-size.ts';

/** What other engines have and RE2 lacks, because it cannot be matched in linear time. */
const lacking: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'look-ahead'],
  [/\(\?<[=!]/, 'look-behind'],
  [/\\[1-9]|\\k</, 'back-references'],
];

/**
 * Instructions of a compiled expression. Matching takes as many steps as instructions times characters, of about
 * 0.1 µs each: 50 ms for this many and 250 characters. `[a-z]{1,999}` just fits.
 */
export const maxExpressionSize = 2_000;

export interface Expression {
  /** Instructions, at most. */
  readonly size: number;
  readonly isFoundIn: (text: string) => boolean;
  readonly isWhole: (text: string) => boolean;
}

/** Throws what is wrong with it; undefined for one that is too large. Its length is the caller's affair. */
export function compileExpression(text: string, ignoresCase = false): Expression | undefined {
  const size = expressionSize(text);
  if (size > maxExpressionSize) return undefined;
  const compiled = RE2JS.compile(text, ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    size,
    // Not `test`: it keeps up to 8 MB of states for each expression, and is no faster on short ones.
    isFoundIn: (given) => compiled.matcher(given).find(),
    isWhole: (given) => compiled.matcher(given).matches(),
  };
}

/** Why an expression is too large to be used; undefined when it is not. */
export function expressionSizeFault(expression: string): string | undefined {
  const size = expressionSize(expression);
  if (size <= maxExpressionSize) return undefined;
  return `it has ${size} steps after expanding repetitions; at most ${maxExpressionSize} are allowed`;
}

/** Why an expression cannot be read, or is too large; undefined when it can be used. */
export function expressionFault(expression: string): string | undefined {
  try {
    return compileExpression(expression) ? undefined : expressionSizeFault(expression);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    const lacks = lacking.find(([construct]) => construct.test(expression))?.[1];
    return lacks ? `${reason} (patterns here have no ${lacks})` : reason;
  }
}
