import { isDeepStrictEqual } from 'node:util';
import { joinAnd } from '../../../../platform/joined.ts';
import { defineEvent, type Words } from '../../../events/index.ts';
import type { Strategy } from '../feature-schema.ts';

/** A strategy as events hold it. */
export interface StrategyFacts extends Omit<Strategy, 'featureName' | 'title'> {
  title: string | null;
  /** The names of `segments`, in their order, in events that change them. */
  segmentNames?: readonly string[];
}

export const factsOf = (strategy: Strategy): StrategyFacts => ({
  id: strategy.id,
  name: strategy.name,
  title: strategy.title ?? null,
  disabled: strategy.disabled,
  constraints: strategy.constraints,
  parameters: strategy.parameters,
  variants: strategy.variants,
  sortOrder: strategy.sortOrder,
  segments: strategy.segments,
});

type Text = Words['text'];

/** Values can be as long as a body, so a sentence shows their beginning. */
const maxCharacters = 60;
/** A sentence names this many and counts the others. */
const maxNames = 3;

const short = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters - 3).toWellFormed()}...` : text;

/** "rollout 10% → 50%". */
const fieldChange = (
  what: string,
  before: string | null | undefined,
  after: string | null | undefined,
  text: Text,
): string[] => {
  if ((before ?? null) === (after ?? null)) return [];
  if (after === undefined || after === null) return [`removed ${what}`];
  if (before === undefined || before === null) return [`set ${what} to ${text(short(after))}`];
  return [`${what} ${text(short(before))} → ${text(short(after))}`];
};

/** Says which items were added, removed, or changed under the same name: "added segments a and b". */
const difference = <Item>(
  what: string,
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
  text: Text,
): string[] => {
  if (isDeepStrictEqual(before, after)) return [];
  const missing = (from: readonly Item[], items: readonly Item[]) => {
    const there = new Set(from.map((item) => JSON.stringify(item)));
    return new Set(items.filter((item) => !there.has(JSON.stringify(item))).map(nameOf));
  };
  const fresh = missing(before, after);
  const gone = missing(after, before);
  if (fresh.size === 0 && gone.size === 0) return [`reordered ${what}s`];
  const kinds = {
    changed: [...fresh].filter((name) => gone.has(name)),
    added: [...fresh].filter((name) => !gone.has(name)),
    removed: [...gone].filter((name) => !fresh.has(name)),
  };
  return Object.entries(kinds)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${kind} ${named(what, names, text)}`);
};

/** "segment a", "segments a, b, c, and 2 more". */
const named = (what: string, names: readonly string[], text: Text): string =>
  `${what}${names.length === 1 ? '' : 's'} ${joinAnd(
    names.map((name) => text(short(name))),
    maxNames,
  )}`;

/** A sentence shows the values of these parameters. Of others it shows the names alone. */
const shownParameters: Readonly<Record<string, string>> = {
  rollout: 'rollout',
  stickiness: 'stickiness',
  groupId: 'group ID',
};

function parametersInWords(before: StrategyFacts, after: StrategyFacts, text: Text): string[] {
  const given = ({ parameters }: StrategyFacts, name: string) =>
    Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const shown = (strategy: StrategyFacts, name: string) => {
    const value = given(strategy, name);
    return name === 'rollout' && value !== undefined ? `${value}%` : value;
  };
  const names = new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)]);
  const others = [...names].filter(
    (name) => !Object.hasOwn(shownParameters, name) && given(before, name) !== given(after, name),
  );
  return [
    ...Object.entries(shownParameters).flatMap(([name, label]) =>
      fieldChange(label, shown(before, name), shown(after, name), text),
    ),
    ...(others.length > 0 ? [`changed ${named('parameter', others, text)}`] : []),
  ];
}

/** Segments with the names that the event has for them. */
const segmentsOf = ({ segments, segmentNames }: StrategyFacts) =>
  segments.map((id, index) => segmentNames?.[index] ?? String(id));

function changesInWords(before: StrategyFacts, after: StrategyFacts, text: Text): string[] {
  return [
    ...fieldChange('type', before.name, after.name, text),
    ...fieldChange('title', before.title, after.title, text),
    ...(before.disabled === after.disabled ? [] : [after.disabled ? 'disabled' : 'enabled']),
    ...parametersInWords(before, after, text),
    ...difference(
      'constraint',
      before.constraints,
      after.constraints,
      ({ contextName, inverted, operator }) =>
        `${contextName} ${inverted ? 'not ' : ''}${operator}`,
      text,
    ),
    ...difference('segment', segmentsOf(before), segmentsOf(after), (name) => name, text),
    ...difference('variant', before.variants, after.variants, ({ name }) => name, text),
    // Not a position: sort orders have gaps.
    ...fieldChange('sort order', String(before.sortOrder), String(after.sortOrder), text),
  ];
}

/** The title, else the type. */
const strategyName = ({ title, name }: Words['data']) => title || name;

export const featureStrategyAdded = defineEvent<StrategyFacts>({
  type: 'feature-strategy-add',
  summary: ({ user, feature, where, data, bold }) =>
    `${user} added strategy ${bold(strategyName(data))} to ${feature}${where}`,
});

export const featureStrategyUpdated = defineEvent<StrategyFacts>({
  type: 'feature-strategy-update',
  summary: ({ user, feature, where, data, preData, bold, text }) => {
    const changes = changesInWords(
      preData as unknown as StrategyFacts,
      data as unknown as StrategyFacts,
      text,
    );
    return `${user} updated strategy ${bold(strategyName(preData))} on ${feature}${where}: ${changes.join(', ')}`;
  },
});

export const featureStrategyRemoved = defineEvent<StrategyFacts>({
  type: 'feature-strategy-remove',
  summary: ({ user, feature, where, preData, bold }) =>
    `${user} removed strategy ${bold(strategyName(preData))} from ${feature}${where}`,
});

export const strategyOrderChanged = defineEvent<{
  strategyIds: readonly string[];
  sortOrders: readonly number[];
}>({
  type: 'strategy-order-changed',
  summary: ({ user, feature, where }) => `${user} reordered strategies of ${feature}${where}`,
});
