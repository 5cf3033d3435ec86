import type { Response } from '../../api.ts';
import { agree, capitalized, numberText, percent, plural } from '../../ui/format.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type Environment = Feature['environments'][number];
export type Strategy = Environment['strategies'][number];
export type Constraint = Strategy['constraints'][number];
export type Variant = Strategy['variants'][number];

/** What a strategy says, without its id and position. */
export type StrategyContent = Pick<
  Strategy,
  'name' | 'title' | 'disabled' | 'constraints' | 'variants' | 'parameters' | 'segments'
>;

/** The name of a segment by its id. */
export type SegmentNames = ReadonlyMap<number, string>;

/** A sentence in pieces: the UI draws values as chips and names in bold. A comma belongs to the piece before it. */
export interface Piece {
  readonly kind: 'text' | 'name' | 'value' | 'share' | 'comma';
  readonly text: string;
}

const piece =
  (kind: Piece['kind']) =>
  (text: string): Piece => ({ kind, text });
const text = piece('text');
const name = piece('name');
const value = piece('value');
const share = piece('share');
const comma = piece('comma')(',');

/** How each operator reads, and how it reads when it is inverted. */
export const operatorWords: Readonly<Record<Constraint['operator'], readonly [string, string]>> = {
  IN: ['is', 'is not'],
  NOT_IN: ['is not', 'is'],
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

/** So many values of a list are shown before "7 more". */
const shownValues = 5;

/** `NO`, `NO or SE`, `A, B, or C`, `A, B, C, D, or 7 more`; without a joint `NO, SE`. */
function listed(values: readonly string[], joint?: 'or' | 'and'): Piece[] {
  const shown = values.length <= shownValues ? values : values.slice(0, shownValues - 1);
  const rest = values.length - shown.length;
  const items = [...shown.map(value), ...(rest > 0 ? [text(`${numberText(rest)} more`)] : [])];
  return items.flatMap((item, index) => {
    if (index === 0) return [item];
    const isLast = index === items.length - 1;
    if (!isLast || joint === undefined) return [comma, item];
    return [...(items.length > 2 ? [comma] : []), text(joint), item];
  });
}

const isNegative = ({ operator, inverted }: Constraint) =>
  operator === 'NOT_IN' ? !inverted : inverted;

export function constraintPieces(constraint: Constraint): Piece[] {
  const { contextName, operator, inverted, values, value: single, caseInsensitive } = constraint;
  const all = values.length > 0 ? values : single === undefined ? [] : [single];
  const isList = operator === 'IN' || operator === 'NOT_IN';
  const isNoneOf = isList && isNegative(constraint) && all.length > 1;
  const [plain, opposite] = operatorWords[operator];
  return [
    name(contextName || '…'),
    text(isNoneOf ? 'is not one of' : inverted ? opposite : plain),
    ...(all.length === 0
      ? [text(isList ? '(no values)' : '…')]
      : listed(all, isNoneOf ? undefined : 'or')),
    ...(caseInsensitive ? [text('(ignoring case)')] : []),
  ];
}

const percentages: readonly string[] = ['rollout', 'percentage'];

/** Whether a strategy has a rollout at all. */
export const hasRollout = ({ parameters }: Pick<StrategyContent, 'parameters'>): boolean =>
  percentages.some((parameter) => Object.hasOwn(parameters, parameter));

/** The rollout in percent; 100 for a strategy without one. */
export function rolloutOf({ parameters }: Pick<StrategyContent, 'parameters'>): number {
  const number = Number(parameters.rollout ?? parameters.percentage ?? 100);
  return Number.isFinite(number) ? Math.min(100, Math.max(0, number)) : 100;
}

/** A parameter that holds a list, separated by commas. */
export const itemsOf = (list: string | undefined): string[] =>
  (list ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Built-in strategies for those in a list: the parameter, and the words for it. */
const lists: Readonly<Record<string, readonly [string, string, string]>> = {
  userWithId: ['userIds', 'User', 'Users'],
  remoteAddress: ['IPs', 'Requests from', 'Requests from'],
  applicationHostname: ['hostNames', 'Host', 'Hosts'],
};

const gradual: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'users',
  gradualRolloutSessionId: 'sessions',
  gradualRolloutRandom: 'requests',
};

function segmentPieces(segments: readonly number[], names: SegmentNames): Piece[] {
  return [
    text(agree(segments.length, 'segment')),
    ...segments.flatMap((id, index) => [
      ...(index > 0 ? [text('and')] : []),
      name(names.get(id) ?? `#${id}`),
    ]),
  ];
}

/** Whether everyone is rolled out to, apart from segments and constraints. */
const isRollout = ({ name: type }: StrategyContent) =>
  type === 'default' || type === 'flexibleRollout';

/** "Users 1 or 2" reads better than "Everyone where userId is 1 or 2". */
const namesUsers = (strategy: StrategyContent): boolean => {
  const [first] = strategy.constraints;
  return (
    isRollout(strategy) &&
    strategy.segments.length === 0 &&
    first?.contextName === 'userId' &&
    first.operator === 'IN' &&
    !first.inverted &&
    first.values.length > 0
  );
};

const isCustom = (strategy: StrategyContent): boolean =>
  !isRollout(strategy) && !(strategy.name in lists) && !(strategy.name in gradual);

/** Who gets a feature by a strategy, apart from its constraints: "10% of segment Beta". */
function audiencePieces(strategy: StrategyContent, names: SegmentNames): Piece[] {
  const { segments, parameters, constraints } = strategy;
  const rollout = rolloutOf(strategy);
  const list = lists[strategy.name];
  if (list) {
    const [parameter, one, several] = list;
    const items = itemsOf(parameters[parameter]);
    if (items.length === 0) return [text('No one yet')];
    return [text(agree(items.length, one, several)), ...listed(items, 'or')];
  }
  if (isRollout(strategy)) {
    const users = namesUsers(strategy) ? (constraints[0]?.values ?? []) : [];
    const whom =
      segments.length > 0
        ? segmentPieces(segments, names)
        : users.length > 0
          ? [text(agree(users.length, 'user')), ...listed(users, 'or')]
          : [text('everyone')];
    if (rollout < 100) return [share(percent(rollout)), text('of'), ...whom];
    return whom.map((each, index) => (index === 0 ? text(capitalized(each.text)) : each));
  }
  const counted = gradual[strategy.name];
  if (counted) return [share(percent(rollout)), text(`of ${counted}`)];
  return [text('Custom strategy:'), name(strategy.name)];
}

/** What strategies of the built-in types say in their headline. */
const toldParameters = new Set([
  ...percentages,
  'stickiness',
  'groupId',
  ...Object.values(lists).map(([parameter]) => parameter),
]);

/** What limits the audience, each on its own: parameters of custom types, segments, constraints. */
function limitPieces(strategy: StrategyContent, names: SegmentNames): Piece[][] {
  const { constraints, segments, parameters } = strategy;
  const own = Object.entries(parameters).filter(
    ([parameter, setting]) => !toldParameters.has(parameter) && setting !== '',
  );
  return [
    ...own.map(([parameter, setting]) => [
      text('with'),
      name(parameter),
      text('='),
      value(setting),
    ]),
    ...(!isRollout(strategy) && segments.length > 0
      ? [[text('in'), ...segmentPieces(segments, names)]]
      : []),
    ...constraints
      .slice(namesUsers(strategy) ? 1 : 0)
      .map((constraint, index) => [
        text(index === 0 ? 'where' : 'and'),
        ...constraintPieces(constraint),
      ]),
  ];
}

/**
 * The headline of a strategy: "10% of everyone where country is NO". It contains the first limit, because "Everyone"
 * above a constraint says the opposite of the strategy.
 */
export const headlinePieces = (strategy: StrategyContent, names: SegmentNames): Piece[] => [
  ...audiencePieces(strategy, names),
  ...(limitPieces(strategy, names)[0] ?? []),
];

/** What follows the headline, each on its own. */
export const detailPieces = (strategy: StrategyContent, names: SegmentNames): Piece[][] =>
  limitPieces(strategy, names).slice(1);

/** By what users stay in or out of the rollout; undefined where the type has no choice. */
export const stickinessOf = ({ name: type, parameters }: StrategyContent): string | undefined =>
  type === 'flexibleRollout' ? (parameters.stickiness ?? 'default') : undefined;

/** A sentence without chips. */
export const plain = (pieces: readonly Piece[]): string =>
  pieces.reduce(
    (sentence, { kind, text: words }, index) =>
      `${sentence}${index === 0 || kind === 'comma' ? '' : ' '}${words}`,
    '',
  );

/** After a feature was enabled: "For 10% of everyone where country is NO". */
export function audienceSentence(strategy: StrategyContent, names: SegmentNames): string {
  const sentence = strategySentence(strategy, names);
  return isCustom(strategy)
    ? sentence
    : `For ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** More constraints don't help to tell one strategy from another. */
const namedLimits = 3;

/** What a strategy is called where others are beside it. */
export const strategyName = (strategy: StrategyContent, names: SegmentNames): string =>
  strategy.title || strategySentence(strategy, names, namedLimits);

/** The whole strategy: "10% of everyone where country is NO or SE, stickiness userId". */
export function strategySentence(
  strategy: StrategyContent,
  names: SegmentNames,
  mostLimits = Number.POSITIVE_INFINITY,
): string {
  const stickiness = stickinessOf(strategy);
  const isPartial = rolloutOf(strategy) < 100;
  const { length } = strategy.variants;
  const limits = limitPieces(strategy, names);
  const rest = limits.length - mostLimits;
  return [
    plain([
      ...audiencePieces(strategy, names),
      ...limits.slice(0, mostLimits).flat(),
      ...(rest > 0 ? [text(`and ${plural(rest, 'more constraint')}`)] : []),
    ]),
    ...(stickiness !== undefined && isPartial ? [`stickiness ${stickiness}`] : []),
    ...(length > 0 ? [plural(length, 'variant')] : []),
    ...(strategy.disabled ? ['disabled'] : []),
  ].join(', ');
}
