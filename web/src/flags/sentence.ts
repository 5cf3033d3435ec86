import type { Response } from '../api.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type Environment = Feature['environments'][number];
export type Strategy = Environment['strategies'][number];
export type Constraint = Strategy['constraints'][number];

/** A sentence in pieces: a page draws values as chips and names in bold. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string };

const text = (words: string): Piece => ({ kind: 'text', text: words });
const name = (words: string): Piece => ({ kind: 'name', text: words });
const value = (words: string): Piece => ({ kind: 'value', text: words });

/** How each operator reads, and how it reads when it is inverted. */
const operatorWords: Readonly<Record<Constraint['operator'], readonly [string, string]>> = {
  IN: ['is one of', 'is none of'],
  NOT_IN: ['is none of', 'is one of'],
  STR_CONTAINS: ['contains', 'does not contain'],
  STR_STARTS_WITH: ['starts with', 'does not start with'],
  STR_ENDS_WITH: ['ends with', 'does not end with'],
  NUM_EQ: ['=', '≠'],
  NUM_GT: ['>', '≤'],
  NUM_GTE: ['≥', '<'],
  NUM_LT: ['<', '≥'],
  NUM_LTE: ['≤', '>'],
  DATE_AFTER: ['is after', 'is not after'],
  DATE_BEFORE: ['is before', 'is not before'],
  SEMVER_EQ: ['=', '≠'],
  SEMVER_GT: ['>', '≤'],
  SEMVER_GTE: ['≥', '<'],
  SEMVER_LT: ['<', '≥'],
  SEMVER_LTE: ['≤', '>'],
  REGEX: ['matches', 'does not match'],
  IN_CIDR: ['is in', 'is not in'],
};

/** So many values of a list are shown before "and 7 more". */
const shownValues = 5;

export function constraintPieces({
  contextName,
  operator,
  inverted,
  values,
  value: single,
}: Constraint): Piece[] {
  const [plain, opposite] = operatorWords[operator];
  const all = values.length > 0 ? values : single === undefined ? [] : [single];
  const rest = all.length - shownValues;
  return [
    name(contextName),
    text(inverted ? opposite : plain),
    ...all.slice(0, shownValues).map(value),
    ...(rest > 0 ? [text(`and ${rest} more`)] : []),
  ];
}

/** The share of a gradual rollout in percent; 100 for a strategy without one. */
export function rolloutOf({ parameters }: Pick<Strategy, 'parameters'>): number {
  const share = Number(parameters.rollout ?? parameters.percentage ?? 100);
  return Number.isFinite(share) ? Math.min(100, Math.max(0, share)) : 100;
}

/** For whom a strategy is on, as its headline: "On for 10 % of everybody". */
export function headline(
  strategy: Pick<Strategy, 'name' | 'parameters' | 'constraints' | 'segments' | 'disabled'>,
): string {
  const isNarrowed = strategy.constraints.length > 0 || strategy.segments.length > 0;
  const whom = isNarrowed ? 'those' : 'everybody';
  const rollout = rolloutOf(strategy);
  switch (strategy.name) {
    case 'default':
      return `On for ${whom}`;
    case 'flexibleRollout':
      return rollout === 100 ? `On for ${whom}` : `On for ${rollout} % of ${whom}`;
    case 'userWithId':
      return 'On for certain users';
    case 'remoteAddress':
      return 'On for certain addresses';
    case 'applicationHostname':
      return 'On for certain hosts';
    default:
      return `On as ${strategy.name} decides`;
  }
}
