import type { ByteWriter } from './byte-writer.ts';
import {
  authorsOf,
  type ByFeature,
  type Conditions,
  conditionsOf,
  familyOf,
  type Head,
  idOf,
  inOrder,
  lifecyclesOf,
  rowsOf,
  type Strategy,
  seenIn,
  strategiesOf,
  tagsOf,
} from './feature-rows.ts';
import { instantText } from './instant-text.ts';
import type { FeatureLines } from './queries/features.ts';
import { seenSumOf } from './queries/revision.ts';

interface Environment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
}

interface ReportScope {
  readonly project: string;
  readonly baseUrl: string;
  readonly environments: readonly Environment[];
}

/** Makes a text once for each of two keys. */
function once(make: (key: string, other: string) => string): typeof make {
  const known = new Map<string, string>();
  return (key, other) => {
    const both = `${key} ${other}`;
    const found = known.get(both);
    if (found !== undefined) return found;
    const text = make(key, other);
    known.set(both, text);
    return text;
  };
}

/** People as JSON (2.6); there are few of them, however many features. */
function createPeople(baseUrl: string) {
  const avatars = JSON.stringify(`${baseUrl}/avatars/`).slice(0, -1);
  return once((id, name) => `{"id":${id},"name":${name},"imageUrl":${avatars}${id}.svg"}`);
}

/** What a feature is in an environment, behind its name, up to when it was last seen. */
const stateJson = (enabled: boolean, variantCount: number, variants: string, active?: boolean) =>
  `","enabled":${enabled},"variantCount":${variantCount},"variants":${variants}` +
  `,"hasStrategies":${active !== undefined},"hasEnabledStrategies":${active === true}`;

/** Nearly all features are like one of these: without variants, on or off, with strategies or without. */
const usual = [false, true].map((enabled) =>
  [undefined, false, true].map((active) => stateJson(enabled, 0, '[]', active)),
);
const usualUnseen = usual.map((states) => states.map((state) => `${state},"strategies":[`));

function hasActive(strategy: Strategy | undefined): boolean | undefined {
  if (!strategy) return undefined;
  for (let each: Strategy | undefined = strategy; each; each = each.next) {
    if (each.active) return true;
  }
  return false;
}

function stateOf(
  { enabled, seenAt, variants }: Conditions,
  feature: number,
  active: boolean | undefined,
): string {
  const own = variants.get(feature);
  const seen = seenAt[feature] as number;
  const on = enabled[feature] as 0 | 1;
  const like = active === undefined ? 0 : active ? 2 : 1;
  if (!own && seen === 0) return usualUnseen[on]?.[like] as string;
  const state = own
    ? stateJson(on === 1, own.count, own.json, active)
    : (usual[on]?.[like] as string);
  return seen > 0
    ? `${state},"lastSeenAt":"${instantText(seen)}","strategies":[`
    : `${state},"strategies":[`;
}

/** A feature that nobody made has entered no stage. */
function lifecycleOf(row: readonly string[] | undefined, createdAt: number): string {
  const [, stage = 'initial', enteredAt = createdAt, status = ''] = row ?? [];
  const end = status === '' ? '"}' : `","status":${status}}`;
  return `{"stage":"${stage}","enteredStageAt":"${instantText(Number(enteredAt))}${end}`;
}

const notFavorite = 'false}';

/** Which features were written, and of each where in the bytes it says that it is no favourite. */
export interface WrittenFeatures {
  readonly names: readonly string[];
  readonly favoriteAt: readonly number[];
  /** When they were seen, and how many stages they have entered. */
  readonly seenSum: string;
}

/**
 * Writes features as the inside of a JSON array, each as soon as its text is there: what all of them together are
 * made of takes as long to collect as to make. In steps: 5,000 features took half a second in one piece.
 */
export function* writeFeatures(
  bytes: ByteWriter,
  heads: ByFeature<Head>,
  rows: FeatureLines,
  { project, baseUrl, environments }: ReportScope,
): Generator<void, WrittenFeatures> {
  const personOf = createPeople(baseUrl);
  const places = new Map(environments.map(({ name }, place) => [name, place]));
  const conditions = conditionsOf(rows, places, heads.length);
  yield;
  const strategies = yield* strategiesOf(rows.strategies, places, heads.length);
  const segments = new Map(rowsOf(rows.segments).map(([id, list]) => [id, list]));
  const tags = tagsOf(rows.tags, heads.length);
  yield;
  const { dependencies, children } = familyOf(rows.dependencies, heads.length);
  const lifecycles = lifecyclesOf(rows.lifecycles, heads.length);
  yield;
  const authors = authorsOf(rows.authors, heads, personOf);
  yield;

  const beginnings = environments.map(({ name, type, sortOrder }, place) => {
    const fields = JSON.stringify({ name, environment: name, type, sortOrder }).slice(0, -1);
    return `${place === 0 ? '' : ']},'}${fields},"featureName":"`;
  });
  const endOfAll = environments.length === 0 ? '],"enabled":' : ']}],"enabled":';
  const ends = [`${endOfAll}false`, `${endOfAll}true`] as const;
  const afterBirth = once(
    (id, name) => `","project":"${project}","createdBy":${personOf(id, name)},"environments":[`,
  );

  const strategyOf = (strategy: Strategy) => {
    const own = segments.size === 0 ? undefined : segments.get(idOf(strategy));
    return own === undefined ? `${strategy.json}]}` : `${strategy.json}${own}]}`;
  };

  const names: string[] = [];
  const favoriteAt: number[] = [];
  for (let feature = 0; feature < heads.length; feature += 1) {
    const head = heads[feature] as Head;
    const { name, createdAt, creatorId, creatorName } = head;
    let enabled: 0 | 1 = 0;
    let lastSeenAt = 0;
    let variants = '[]';
    let text = feature === 0 ? '{' : ',{';
    text += `"name":"${name}","type":"${head.type}","description":${head.description},"archived":false`;
    text += head.stale ? ',"stale":true' : ',"stale":false';
    text += `,"impressionData":${head.impressionData},"createdAt":"${instantText(createdAt)}`;
    text += afterBirth(creatorId, creatorName);
    for (let place = 0; place < environments.length; place += 1) {
      const here = conditions[place] as Conditions;
      const first = strategies[place]?.[feature];
      if (here.enabled[feature] === 1) enabled = 1;
      lastSeenAt = Math.max(lastSeenAt, here.seenAt[feature] as number);
      variants = here.variants.get(feature)?.json ?? variants;
      text += beginnings[place] + name + stateOf(here, feature, hasActive(first));
      if (first && !first.next) text += strategyOf(first);
      else if (first) text += inOrder(first).map(strategyOf).join(',');
    }
    text += ends[enabled];
    if (lastSeenAt > 0) text += `,"lastSeenAt":"${instantText(lastSeenAt)}"`;
    text += `,"variants":${variants},"tags":[${tags[feature] ?? ''}],"children":[${children.get(name) ?? ''}]`;
    text += `,"lifecycle":${lifecycleOf(lifecycles[feature], createdAt)},"dependencies":[${dependencies[feature] ?? ''}]`;
    text += `,"collaborators":{"users":[${personOf(creatorId, creatorName)}`;
    const others = authors[feature];
    text += others === undefined ? ']},"favorite":' : `,${others}]},"favorite":`;
    favoriteAt.push(bytes.write(text));
    bytes.write(notFavorite);
    names.push(name);
    yield;
  }
  const stages = rows.lifecycles?.split('\n').length ?? 0;
  return { names, favoriteAt, seenSum: seenSumOf(seenIn(conditions), stages) };
}
