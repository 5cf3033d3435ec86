import { createCache } from '../../../../platform/cache.ts';
import type { Fault } from '../../../../platform/errors.ts';
import {
  compileExpression,
  type Expression,
  expressionFault,
  expressionSizeFault,
} from '../../../../platform/regular-expression.ts';

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

/**
 * Whether a whole name matches; the pattern is one that compiled when it was set. No name matches one that is too
 * large: it was set when larger ones were allowed.
 */
export const matchesNaming = ({ pattern }: FeatureNaming, name: string): boolean =>
  compiled(pattern)?.isWhole(name) ?? false;

/** The last patterns that were asked for: one can take 28 ms to compile, and an import has thousands of names. */
const patterns = createCache<string, { readonly expression: Expression | undefined }>({
  maxEntries: 50,
});

function compiled(pattern: string): Expression | undefined {
  const known = patterns.get(pattern);
  if (known) return known.expression;
  const expression = compileExpression(pattern);
  patterns.set(pattern, { expression });
  return expression;
}

/** Says how a name breaks the rule, with all that helps to find a better one; undefined when it does not. */
export function namingBreach(naming: FeatureNaming | undefined, name: string): string | undefined {
  if (!naming || matchesNaming(naming, name)) return undefined;
  const { pattern, example, description } = naming;
  const tooLarge = expressionSizeFault(pattern);
  return [
    `The name '${name}' does not match the naming pattern of the project: '${pattern}'.`,
    ...(tooLarge ? [`No name does, until it is replaced by a smaller one: ${tooLarge}.`] : []),
    ...(example ? [`An example that does: '${example}'.`] : []),
    ...(description ? [`The pattern is described as: '${description}'`] : []),
  ].join(' ');
}

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
  const reason = expressionFault(pattern);
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
