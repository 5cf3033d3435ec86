import { RE2JS } from 're2js';

/** What other engines have and RE2 lacks, because it cannot be matched in linear time. */
const lacking: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'look-ahead'],
  [/\(\?<[=!]/, 'look-behind'],
  [/\\[1-9]|\\k</, 'back-references'],
];

/**
 * All `{n}` of an expression together. It is compiled into a copy for each time: 1000 characters full
 * of `a{1000}` take a second of everybody's time, and with this bound a tenth of it at most.
 */
const maxRepetitions = 1000;

/** Why an expression cannot be used; undefined when it can. Its length is the caller's affair. */
export function expressionFault(expression: string): string | undefined {
  const repetitions = [...expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, least, most = '']) => sum + Math.max(Number(least), Number(most)),
    0,
  );
  if (repetitions > maxRepetitions) {
    return `it repeats its parts ${repetitions} times in all, and at most ${maxRepetitions} are allowed`;
  }
  try {
    RE2JS.compile(expression);
    return undefined;
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    const lacks = lacking.find(([construct]) => construct.test(expression))?.[1];
    return lacks ? `${reason} (patterns here have no ${lacks})` : reason;
  }
}
