import { createCache } from '../../../../platform/cache.ts';
import type { Fault } from '../../../../platform/errors.ts';
import {
  compileExpression,
  type Expression,
  expressionFault,
  expressionSizeFault,
} from '../../../../platform/regular-expression.ts';

/** The naming pattern of a project's features. */
export interface FeatureNaming {
  pattern: string;
  example?: string;
  description?: string;
}

/** A naming pattern as sent in a request: an empty or null pattern removes it. */
export interface NamingInput {
  readonly pattern: string | null;
  readonly example?: string | null;
  readonly description?: string | null;
}

/**
 * Whether the whole name matches. The pattern compiled when it was set. A pattern that is too large matches no name:
 * it was set when larger ones were allowed.
 */
export const matchesNaming = ({ pattern }: FeatureNaming, name: string): boolean =>
  compiled(pattern)?.isWhole(name) ?? false;

/** The last used patterns: compiling one can take 28 ms, and an import has thousands of names. */
const patterns = createCache<string, { readonly expression: Expression | undefined }>({
  maxEntries: 50,
});

function compiled(pattern: string): Expression | undefined {
  const cached = patterns.get(pattern);
  if (cached) return cached.expression;
  const expression = compileExpression(pattern);
  patterns.set(pattern, { expression });
  return expression;
}

/** Explains how a name breaks the pattern, with example and description; undefined if it does not. */
export function namingBreach(naming: FeatureNaming | undefined, name: string): string | undefined {
  if (!naming || matchesNaming(naming, name)) return undefined;
  const { pattern, example, description } = naming;
  const tooLarge = expressionSizeFault(pattern);
  return [
    `The name '${name}' does not match the naming pattern of the project: '${pattern}'.`,
    ...(tooLarge
      ? [`No name can match until the pattern is replaced by a smaller one: ${tooLarge}.`]
      : []),
    ...(example ? [`Example of a valid name: '${example}'.`] : []),
    ...(description ? [`Description of the pattern: '${description}'`] : []),
  ].join(' ');
}

/** Faults of a naming pattern in a request. */
export function namingFaults(
  { pattern, example, description }: NamingInput,
  path: string,
): Fault[] {
  const fault = (field: string, message: string): Fault => ({
    path: `${path}/${field}`,
    message: `${path}/${field} ${message}`,
  });
  if (!pattern) {
    return [
      ...(example ? [fault('example', 'requires a pattern')] : []),
      ...(description ? [fault('description', 'requires a pattern')] : []),
    ];
  }
  const reason = expressionFault(pattern);
  if (reason !== undefined) return [fault('pattern', `does not compile: ${reason}`)];
  if (!example || matchesNaming({ pattern }, example)) return [];
  return [fault('example', `'${example}' does not match the pattern '${pattern}'`)];
}

/** The naming pattern of a checked request, without empty properties. */
export const namingOf = ({
  pattern,
  example,
  description,
}: NamingInput): FeatureNaming | undefined =>
  pattern
    ? { pattern, ...(example && { example }), ...(description && { description }) }
    : undefined;
