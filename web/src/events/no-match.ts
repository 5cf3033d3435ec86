import { joinOr } from '../ui/format.ts';
import { freeTextOf, parse } from './query/grammar.ts';
import type { LogScope } from './scope.ts';

/** Why a query without results may have none, and what to try. */
export function noMatchHint(q: string, { project, feature }: LogScope): string {
  const { tokens } = parse(q);
  const text = freeTextOf(tokens);
  if (text === '') return 'Remove a filter or widen the time range.';
  if (tokens.some(({ kind }) => kind === 'qualifier')) {
    return `No matching event contains “${text}” in its data. Remove a filter or widen the time range.`;
  }
  // A log of a project or a feature has no qualifier for it.
  const things = [
    ...(feature === undefined ? ['feature'] : []),
    ...(feature === undefined && project === undefined ? ['project'] : []),
  ];
  const found = joinOr([...things, 'user']);
  const qualifiers = joinOr([...things, 'actor'].map((name) => `${name}:`));
  return `No event data contains “${text}”. To find a ${found}, use ${qualifiers}.`;
}
