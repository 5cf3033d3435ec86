import { isDeepStrictEqual } from 'node:util';
import type { StrategyFacts } from './events.ts';

type Bold = (text: string) => string;

/** Values can be as long as a body: a sentence shows how they begin. */
const maxCharacters = 60;
/** A sentence names so many, and counts the others. */
const maxNames = 3;

const short = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters - 3).toWellFormed()}...` : text;

const some = (names: readonly string[], bold: Bold) => {
  const shown = names.slice(0, maxNames).map((name) => bold(short(name)));
  const left = names.length - shown.length;
  return left > 0 ? `${shown.join(', ')} and ${left} more` : shown.join(', ');
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

/** What of a list is new, what is gone, and what is another under its old name. */
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

/** Parameters whose values say something in a sentence; of the others it only names those that changed. */
const told = ['rollout', 'stickiness', 'groupId'];

function parametersInWords(before: StrategyFacts, after: StrategyFacts, bold: Bold): string[] {
  const given = ({ parameters }: StrategyFacts, name: string) =>
    Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  const names = new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)]);
  const others = [...names].filter(
    (name) => !told.includes(name) && given(before, name) !== given(after, name),
  );
  return [
    ...told.flatMap((name) => fromTo(name, given(before, name), given(after, name), bold)),
    ...(others.length > 0 ? [`parameters changed: ${some(others, bold)}`] : []),
  ];
}

/** What a change made of a strategy, in a few words each. */
export function changesInWords(before: StrategyFacts, after: StrategyFacts, bold: Bold): string[] {
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
