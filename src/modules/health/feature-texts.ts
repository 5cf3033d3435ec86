import {
  authorsOf,
  type Conditions,
  conditionsOf,
  familyOf,
  idOf,
  inOrder,
  lifecyclesOf,
  rowsOf,
  type Strategy,
  strategiesOf,
  tagsOf,
} from './feature-rows.ts';
import type { FeatureLines } from './queries/features.ts';

/** Features as the inside of a JSON array, in pieces. */
export interface FeatureTexts {
  readonly names: readonly string[];
  readonly pieces: readonly string[];
  /** Of each feature the piece that says whether it is a favourite; it says no. */
  readonly favoriteAt: readonly number[];
}

interface Environment {
  readonly name: string;
  readonly type: string;
  readonly sortOrder: number;
}

interface Surroundings {
  readonly project: string;
  readonly baseUrl: string;
  readonly environments: readonly Environment[];
}

const instantOf = (milliseconds: number | string | undefined): string =>
  new Date(Number(milliseconds)).toISOString();

/** Makes a text once for each key. */
function once(make: (...keys: string[]) => string): (...keys: string[]) => string {
  const known = new Map<string, string>();
  return (...keys) => {
    const key = keys.join(' ');
    const text = known.get(key) ?? make(...keys);
    known.set(key, text);
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

function pushState(
  pieces: string[],
  { enabled, seenAt, variants }: Conditions,
  feature: number,
  active: boolean | undefined,
): void {
  const own = variants.get(feature);
  const seen = seenAt[feature] as number;
  const on = enabled[feature] as 0 | 1;
  const like = active === undefined ? 0 : active ? 2 : 1;
  if (!own && seen === 0) {
    pieces.push(usualUnseen[on]?.[like] as string);
    return;
  }
  pieces.push(
    own ? stateJson(on === 1, own.count, own.json, active) : (usual[on]?.[like] as string),
  );
  if (seen > 0) pieces.push(',"lastSeenAt":"', instantOf(seen), '","strategies":[');
  else pieces.push(',"strategies":[');
}

/** A feature that nobody made has entered no stage. */
function pushLifecycle(pieces: string[], row: readonly string[] | undefined, born: string): void {
  const [, stage = 'initial', enteredAt = born, status = ''] = row ?? [];
  pieces.push(`{"stage":"${stage}","enteredStageAt":"`, instantOf(enteredAt));
  pieces.push(status === '' ? '"}' : `","status":${status}}`);
}

const notFavorite = ']},"favorite":false}';
const favorite = ']},"favorite":true}';

/**
 * As pieces of text, which are joined once: made as objects, or feature by feature, 10,000 of them take
 * twice as long, most of it to collect what is left over. What always stands together is one piece.
 */
export function featureTexts(
  rows: FeatureLines,
  { project, baseUrl, environments }: Surroundings,
): FeatureTexts {
  const heads: string[][] = [];
  for (const row of rowsOf(rows.heads)) heads[Number(row[0])] = row;
  const personOf = createPeople(baseUrl);
  const conditions = conditionsOf(rows, environments.length, heads.length);
  const strategies = strategiesOf(rows.strategies, environments.length);
  const segments = new Map([...rowsOf(rows.segments)].map(([id, list]) => [id, list]));
  const tags = tagsOf(rows.tags);
  const { dependencies, children } = familyOf(rows.dependencies);
  const lifecycles = lifecyclesOf(rows.lifecycles);
  const authors = authorsOf(rows.authors, personOf);

  const beginnings = environments.map(({ name, type, sortOrder }, place) => {
    const fields = JSON.stringify({ name, environment: name, type, sortOrder }).slice(0, -1);
    return `${place === 0 ? '' : ']},'}${fields},"featureName":"`;
  });
  const endOfAll = environments.length === 0 ? '],"enabled":' : ']}],"enabled":';
  const ends = [`${endOfAll}false`, `${endOfAll}true`] as const;
  const afterBirth = once(
    (id, name) => `","project":"${project}","createdBy":${personOf(id, name)},"environments":[`,
  );

  const pushStrategy = (strategy: Strategy) => {
    pieces.push(strategy.json);
    const own = segments.size === 0 ? undefined : segments.get(idOf(strategy));
    if (own !== undefined) pieces.push(own);
    pieces.push(']}');
  };

  const names: string[] = [];
  const pieces: string[] = [];
  const favoriteAt: number[] = [];
  for (const [feature, row] of heads.entries()) {
    const [, name = '', beginning = '', born = '', creatorId = '', creatorName = ''] = row;
    let enabled: 0 | 1 = 0;
    let lastSeenAt = 0;
    let variants = '[]';
    pieces.push(feature === 0 ? beginning.slice(1) : beginning, instantOf(born));
    pieces.push(afterBirth(creatorId, creatorName));
    for (let place = 0; place < environments.length; place += 1) {
      const here = conditions[place] as Conditions;
      const first = strategies[place]?.[feature];
      if (here.enabled[feature] === 1) enabled = 1;
      lastSeenAt = Math.max(lastSeenAt, here.seenAt[feature] as number);
      variants = here.variants.get(feature)?.json ?? variants;
      pieces.push(beginnings[place] as string, name);
      pushState(pieces, here, feature, hasActive(first));
      if (first && !first.next) pushStrategy(first);
      else if (first) {
        for (const [nth, strategy] of inOrder(first).entries()) {
          if (nth > 0) pieces.push(',');
          pushStrategy(strategy);
        }
      }
    }
    pieces.push(ends[enabled]);
    if (lastSeenAt > 0) pieces.push(',"lastSeenAt":"', instantOf(lastSeenAt), '"');
    pieces.push(variants === '[]' ? ',"variants":[],"tags":[' : `,"variants":${variants},"tags":[`);
    const [own, kin, parents] = [tags[feature], children.get(name), dependencies[feature]];
    if (own !== undefined) pieces.push(own);
    pieces.push(
      kin === undefined ? '],"children":[],"lifecycle":' : `],"children":[${kin}],"lifecycle":`,
    );
    pushLifecycle(pieces, lifecycles[feature], born);
    pieces.push(',"dependencies":[');
    if (parents !== undefined) pieces.push(parents);
    pieces.push('],"collaborators":{"users":[', personOf(creatorId, creatorName));
    const others = authors[feature];
    if (others !== undefined) pieces.push(',', others);
    favoriteAt.push(pieces.push(notFavorite) - 1);
    names.push(name);
  }
  return { names, pieces, favoriteAt };
}

/** The same, with these features as favourites. */
export function withFavorites(
  { names, pieces, favoriteAt }: FeatureTexts,
  favorites: ReadonlySet<string>,
): readonly string[] {
  const own = [...pieces];
  for (const [feature, name] of names.entries()) {
    if (favorites.has(name)) own[favoriteAt[feature] as number] = favorite;
  }
  return own;
}
