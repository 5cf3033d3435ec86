import type { Response } from '../../api.ts';
import { agree, percent, plural } from '../../ui/format.ts';

type Feature = Response<'GET /api/admin/projects/:projectId/features/:featureName'>;
export type Environment = Feature['environments'][number];
export type Strategy = Environment['strategies'][number];
export type Constraint = Strategy['constraints'][number];
export type Variant = Strategy['variants'][number];

/** What a strategy says, without where it stands. */
export type StrategyContent = Pick<
  Strategy,
  'name' | 'title' | 'disabled' | 'constraints' | 'variants' | 'parameters' | 'segments'
>;

/** The name of a segment by its id. */
export type SegmentNames = ReadonlyMap<number, string>;

/** A sentence in pieces: a page draws values as chips and names in bold. */
export interface Piece {
  readonly kind: 'text' | 'name' | 'value' | 'share';
  readonly text: string;
}

const piece =
  (kind: Piece['kind']) =>
  (text: string): Piece => ({ kind, text });
const text = piece('text');
const name = piece('name');
const value = piece('value');
const share = piece('share');

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

/** So many values of a list are shown before "and 7 more". */
const shownValues = 5;

/** `NO`, `NO or SE`, `A, B, C or 7 more`. */
function listed(values: readonly string[], joint: string): Piece[] {
  const shown = values.length <= shownValues ? values : values.slice(0, shownValues - 1);
  const rest = values.length - shown.length;
  return [
    ...shown.flatMap((each, index) => [
      ...(index > 0 && index === shown.length - 1 && rest === 0 ? [text(joint)] : []),
      value(each),
    ]),
    ...(rest > 0 ? [text(`${joint} ${rest} more`)] : []),
  ];
}

const isNegative = ({ operator, inverted }: Constraint) =>
  operator === 'NOT_IN' ? !inverted : inverted;

export function constraintPieces(constraint: Constraint): Piece[] {
  const { contextName, operator, inverted, values, value: single, caseInsensitive } = constraint;
  const all = values.length > 0 ? values : single === undefined ? [] : [single];
  const isList = operator === 'IN' || operator === 'NOT_IN';
  const [plain, opposite] = operatorWords[operator];
  const words =
    isList && isNegative(constraint) && all.length > 1 ? 'is neither' : inverted ? opposite : plain;
  const joint = words === 'is neither' ? 'nor' : 'or';
  return [
    name(contextName || '…'),
    text(words),
    ...(all.length === 0 ? [text(isList ? 'any of no values' : '…')] : listed(all, joint)),
    ...(caseInsensitive ? [text('in any case')] : []),
  ];
}

const percentages: readonly string[] = ['rollout', 'percentage'];

/** Whether a strategy has a share at all. */
export const hasRollout = ({ parameters }: Pick<StrategyContent, 'parameters'>): boolean =>
  percentages.some((parameter) => Object.hasOwn(parameters, parameter));

/** The share of a gradual rollout in percent; 100 for a strategy without one. */
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

/** Built-in strategies that are on for those in a list: the parameter, and the words for it. */
const lists: Readonly<Record<string, readonly [string, string, string]>> = {
  userWithId: ['userIds', 'the user', 'the users'],
  remoteAddress: ['IPs', 'requests from', 'requests from'],
  applicationHostname: ['hostNames', 'the host', 'the hosts'],
};

const gradual: Readonly<Record<string, string>> = {
  gradualRolloutUserId: 'users',
  gradualRolloutSessionId: 'sessions',
  gradualRolloutRandom: 'all requests',
};

function segmentPieces(segments: readonly number[], names: SegmentNames): Piece[] {
  return [
    text(agree(segments.length, 'the segment')),
    ...segments.flatMap((id, index) => [
      ...(index > 0 ? [text('and')] : []),
      name(names.get(id) ?? `#${id}`),
    ]),
  ];
}

/** Whom a strategy is on for: "On for 10% of everybody". */
export function headlinePieces(strategy: StrategyContent, names: SegmentNames): Piece[] {
  const { segments, parameters } = strategy;
  const rollout = rolloutOf(strategy);
  const part = rollout === 100 ? [] : [share(percent(rollout)), text('of')];
  const list = lists[strategy.name];
  if (list) {
    const [parameter, one, several] = list;
    const items = itemsOf(parameters[parameter]);
    if (items.length === 0) return [text('On for nobody yet')];
    return [text('On for'), text(agree(items.length, one, several)), ...listed(items, 'or')];
  }
  if (strategy.name === 'default' || strategy.name === 'flexibleRollout') {
    const whom = segments.length > 0 ? segmentPieces(segments, names) : [text('everybody')];
    return [text('On for'), ...part, ...whom];
  }
  const counted = gradual[strategy.name];
  if (counted) return [text('On for'), share(percent(rollout)), text(`of ${counted}`)];
  return [text('On as'), name(strategy.name), text('decides')];
}

/** What strategies of the built-in types say in their headline. */
const toldParameters = new Set([
  ...percentages,
  'stickiness',
  'groupId',
  ...Object.values(lists).map(([parameter]) => parameter),
]);

/** What follows the headline, each on its own: segments, conditions, parameters of own types. */
export function conditionPieces(strategy: StrategyContent, names: SegmentNames): Piece[][] {
  const { constraints, segments, parameters } = strategy;
  const isToldAbove = strategy.name === 'default' || strategy.name === 'flexibleRollout';
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
    ...(!isToldAbove && segments.length > 0
      ? [[text('in'), ...segmentPieces(segments, names)]]
      : []),
    ...constraints.map((constraint, index) => [
      text(index === 0 ? 'where' : 'and'),
      ...constraintPieces(constraint),
    ]),
  ];
}

/** By what the same people stay in the share; undefined where everybody is in it. */
export const stickinessOf = ({ name: type, parameters }: StrategyContent): string | undefined =>
  type === 'flexibleRollout' ? (parameters.stickiness ?? 'default') : undefined;

/** A sentence without chips. Values of a list are separated by commas. */
export function plain(pieces: readonly Piece[]): string {
  return pieces.reduce((sentence, { kind, text: words }, index) => {
    const before = pieces[index - 1];
    if (index === 0) return words;
    return `${sentence}${kind === 'value' && before?.kind === 'value' ? ', ' : ' '}${words}`;
  }, '');
}

/** More conditions do not help to tell one strategy from another. */
const nameConditions = 3;

/** What a strategy is called where others are beside it. */
export const strategyName = (strategy: StrategyContent, names: SegmentNames): string =>
  strategy.title || strategySentence(strategy, names, nameConditions);

/** The whole strategy: "on for 10% of everybody where country is NO or SE, sticky by userId". */
export function strategySentence(
  strategy: StrategyContent,
  names: SegmentNames,
  mostConditions = Number.POSITIVE_INFINITY,
): string {
  const stickiness = stickinessOf(strategy);
  const isPartial = rolloutOf(strategy) < 100;
  const { length } = strategy.variants;
  const conditions = conditionPieces(strategy, names);
  const rest = conditions.length - mostConditions;
  const sentence = [
    plain([
      ...headlinePieces(strategy, names),
      ...conditions.slice(0, mostConditions).flat(),
      ...(rest > 0 ? [text(`and ${plural(rest, 'more condition')}`)] : []),
    ]),
    ...(stickiness !== undefined && isPartial ? [`sticky by ${stickiness}`] : []),
    ...(length > 0 ? [`with ${plural(length, 'variant')}`] : []),
    ...(strategy.disabled ? ['disabled'] : []),
  ].join(', ');
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}
