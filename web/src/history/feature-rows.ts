import { contentOf, dependencyWords } from '../flags/feature/draft.ts';
import type { Feature } from '../flags/feature/view.ts';
import { typeName } from '../flags/feature-words.ts';
import { type Part, strategyDifferences } from '../flags/strategy/differences.ts';
import type { Environment, SegmentNames, Strategy } from '../flags/strategy/strategy-sentence.ts';
import { tagText } from '../flags/tag-text.ts';
import { shortDay } from '../ui/dates.ts';
import { isSame } from '../ui/is-same.ts';

/** One field of a feature at two moments, in words. Empty: it had no value. */
export interface FieldRow {
  readonly name: string;
  readonly past: string;
  readonly present: string;
}

/** A feature in one environment at two moments. Undefined: its project did not have the environment. */
export interface EnvironmentRow {
  readonly name: string;
  readonly type: string;
  readonly past: Environment | undefined;
  readonly present: Environment | undefined;
  readonly differs: boolean;
}

function stateOf({ archived, stale }: Feature): string {
  if (archived) return 'Archived';
  return stale ? 'Stale' : 'Active';
}

type Field = readonly [name: string, words: (feature: Feature) => string];

const fieldsOf = (projectName: (id: string) => string): readonly Field[] => [
  ['State', stateOf],
  ['Project', ({ project }) => projectName(project)],
  ['Type', ({ type }) => typeName(type)],
  ['Description', ({ description }) => description ?? ''],
  ['Tags', ({ tags = [] }) => tags.map(tagText).join(', ')],
  ['Dependencies', ({ dependencies }) => dependencies.map(dependencyWords).join(', ')],
  ['Links', ({ links = [] }) => links.map(({ title, url }) => title || url).join(', ')],
  ['Owner', ({ owner }) => owner?.name ?? ''],
  ['Expires', ({ expiresAt }) => (expiresAt ? shortDay(expiresAt) : '')],
  ['Impression data', ({ impressionData }) => (impressionData ? 'Enabled' : 'Disabled')],
];

/** The fields that have a value at one of the moments. */
export const fieldRows = (
  past: Feature,
  present: Feature,
  projectName: (id: string) => string,
): FieldRow[] =>
  fieldsOf(projectName)
    .map(([name, words]) => ({ name, past: words(past), present: words(present) }))
    .filter((row) => row.past !== '' || row.present !== '');

const comparable = ({ enabled, strategies, variants }: Environment) => ({
  enabled,
  strategies: strategies.map((strategy) => [strategy.id, contentOf(strategy)]),
  variants: variants.map(({ name, weight, weightType, stickiness, payload, overrides }) => ({
    ...{ name, weight, weightType, stickiness, payload },
    overrides: overrides ?? [],
  })),
});

/** Those of today in their order, then those that are no longer there. */
export function environmentRows(past: Feature, present: Feature): EnvironmentRow[] {
  const [before, after] = [past, present].map(
    ({ environments }) => new Map(environments.map((each) => [each.name, each])),
  ) as [Map<string, Environment>, Map<string, Environment>];
  return [...new Set([...after.keys(), ...before.keys()])].map((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    return {
      name,
      type: (is ?? was)?.type ?? '',
      past: was,
      present: is,
      differs: !was || !is || !isSame(comparable(was), comparable(is)),
    };
  });
}

/** Which parts of a strategy are different at the other moment; undefined if it did not exist then. */
export function partsThatDiffer(
  strategy: Strategy,
  other: Environment | undefined,
  names: SegmentNames,
): ReadonlySet<Part> | undefined {
  const counterpart = other?.strategies.find(({ id }) => id === strategy.id);
  if (!counterpart) return undefined;
  return new Set(strategyDifferences(counterpart, strategy, names).map(({ part }) => part));
}
