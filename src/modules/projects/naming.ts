import { RE2JS } from 're2js';
import type { Fault } from '../../platform/errors.ts';

/** The rule that the names of a project's features follow. */
export interface FeatureNaming {
  pattern: string;
  example?: string;
  description?: string;
}

/** A naming rule as it is asked for: an empty pattern, or null, takes the rule away. */
export interface NamingWish {
  readonly pattern: string | null;
  readonly example?: string | null;
  readonly description?: string | null;
}

/** What other engines have and ours lacks, because it cannot be matched in linear time. */
const lacking: readonly (readonly [RegExp, string])[] = [
  [/\(\?[=!]/, 'look-ahead'],
  [/\(\?<[=!]/, 'look-behind'],
  [/\\[1-9]|\\k</, 'back-references'],
];

function compileFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    const lacks = lacking.find(([construct]) => construct.test(pattern))?.[1];
    return lacks ? `${reason} (patterns here have no ${lacks})` : reason;
  }
}

/** Whether a whole name matches; the pattern is one that compiled when it was set. */
export const matchesNaming = ({ pattern }: FeatureNaming, name: string): boolean =>
  RE2JS.compile(pattern).matches(name);

/** What is wrong with a wished rule. */
export function namingFaults({ pattern, example, description }: NamingWish, path: string): Fault[] {
  const fault = (field: string, message: string): Fault => ({
    path: `${path}/${field}`,
    message: `${path}/${field} ${message}`,
  });
  if (!pattern) {
    return [
      ...(example ? [fault('example', 'is an example of nothing without a pattern')] : []),
      ...(description ? [fault('description', 'describes nothing without a pattern')] : []),
    ];
  }
  const reason = compileFault(pattern);
  if (reason !== undefined) return [fault('pattern', `does not compile: ${reason}`)];
  if (!example || matchesNaming({ pattern }, example)) return [];
  return [fault('example', `'${example}' does not match the pattern '${pattern}'`)];
}

/** The rule that a sound wish asks for, without what it leaves empty. */
export const namingOf = ({
  pattern,
  example,
  description,
}: NamingWish): FeatureNaming | undefined =>
  pattern
    ? { pattern, ...(example && { example }), ...(description && { description }) }
    : undefined;
