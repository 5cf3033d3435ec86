import { isDeepStrictEqual } from 'node:util';
import { defineEvent } from '../../../events/index.ts';
import type { Strategy } from '../feature-schema.ts';

/** A strategy as events hold it. */
export interface StrategyFacts extends Omit<Strategy, 'featureName' | 'title'> {
  title: string | null;
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

type Bold = (text: string) => string;

/** Values can be as long as a body, so a sentence shows their beginning. */
const maxCharacters = 60;
/** A sentence names this many and counts the others. */
const maxNames = 3;

const short = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters - 3).toWellFormed()}...` : text;

const some = (names: readonly string[], bold: Bold) => {
  const listed = names.slice(0, maxNames).map((name) => bold(short(name)));
  const left = names.length - listed.length;
  return left > 0 ? `${listed.join(', ')} and ${left} more` : listed.join(', ');
};

const fromTo = (
  what: string,
  before: string | null | undefined,
  after: string | null | undefined,
  bold: Bold,
): string[] => {
  if ((before ?? null) === (after ?? null)) return [];
  if (after === undefined || after === null) return [`${what} removed`];
  if (before === undefined || before === null) return [`${what} set to ${bold(short(after))}`];
  return [`${what} from ${bold(short(before))} to ${bold(short(after))}`];
};

/** Says which items were added, removed, or changed under the same name. */
const difference = <Item>(
  what: string,
  before: readonly Item[],
  after: readonly Item[],
  nameOf: (item: Item) => string,
  bold: Bold,
): string[] => {
  if (isDeepStrictEqual(before, after)) return [];
  const missing = (from: readonly Item[], items: readonly Item[]) => {
    const there = new Set(from.map((item) => JSON.stringify(item)));
    return new Set(items.filter((item) => !there.has(JSON.stringify(item))).map(nameOf));
  };
  const fresh = missing(before, after);
  const gone = missing(after, before);
  if (fresh.size === 0 && gone.size === 0) return [`${what} rearranged`];
  const kinds = {
    changed: [...fresh].filter((name) => gone.has(name)),
    added: [...fresh].filter((name) => !gone.has(name)),
    removed: [...gone].filter((name) => !fresh.has(name)),
  };
  return Object.entries(kinds)
    .filter(([, names]) => names.length > 0)
    .map(([kind, names]) => `${what} ${kind}: ${some(names, bold)}`);
};

/** A sentence shows the values of these parameters. Of others it shows the names alone. */
const shownParameters = ['rollout', 'stickiness', 'groupId'];

function parametersInWords(before: StrategyFacts, after: StrategyFacts, bold: Bold): string[] {
  const given = ({ parameters }: StrategyFacts, name: string) =>
    Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const names = new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)]);
  const others = [...names].filter(
    (name) => !shownParameters.includes(name) && given(before, name) !== given(after, name),
  );
  return [
    ...shownParameters.flatMap((name) =>
      fromTo(name, given(before, name), given(after, name), bold),
    ),
    ...(others.length > 0 ? [`parameters changed: ${some(others, bold)}`] : []),
  ];
}

function changesInWords(before: StrategyFacts, after: StrategyFacts, bold: Bold): string[] {
  const state = (strategy: StrategyFacts) => (strategy.disabled ? 'disabled' : 'enabled');
  return [
    ...fromTo('type', before.name, after.name, bold),
    ...fromTo('title', before.title, after.title, bold),
    ...(before.disabled === after.disabled ? [] : [state(after)]),
    ...parametersInWords(before, after, bold),
    ...difference(
      'constraints',
      before.constraints,
      after.constraints,
      ({ contextName, inverted, operator }) =>
        `${contextName} ${inverted ? 'not ' : ''}${operator}`,
      bold,
    ),
    ...difference('segments', before.segments, after.segments, String, bold),
    ...difference('variants', before.variants, after.variants, ({ name }) => name, bold),
    ...fromTo('place', String(before.sortOrder), String(after.sortOrder), bold),
  ];
}

export const featureStrategyAdded = defineEvent<StrategyFacts>({
  type: 'feature-strategy-add',
  summary: ({ user, feature, project, environment, data, bold }) =>
    `${user} added the strategy ${bold(data.title ?? data.name)} to ${feature} in the environment ${environment} of the project ${project}`,
});

export const featureStrategyUpdated = defineEvent<StrategyFacts>({
  type: 'feature-strategy-update',
  summary: ({ user, feature, project, environment, data, preData, bold }) => {
    const changes = changesInWords(
      preData as unknown as StrategyFacts,
      data as unknown as StrategyFacts,
      bold,
    );
    return `${user} changed the strategy ${bold(preData.title ?? preData.name)} of ${feature} in the environment ${environment} of the project ${project}: ${changes.join(', ')}`;
  },
});

export const featureStrategyRemoved = defineEvent<StrategyFacts>({
  type: 'feature-strategy-remove',
  summary: ({ user, feature, project, environment, preData, bold }) =>
    `${user} removed the strategy ${bold(preData.title ?? preData.name)} from ${feature} in the environment ${environment} of the project ${project}`,
});

export const strategyOrderChanged = defineEvent<{
  strategyIds: readonly string[];
  sortOrders: readonly number[];
}>({
  type: 'strategy-order-changed',
  summary: ({ user, feature, project, environment }) =>
    `${user} reordered the strategies of ${feature} in the environment ${environment} of the project ${project}`,
});
