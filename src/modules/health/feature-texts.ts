import { stages } from '../features/index.ts';
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

function* rowsOf(lines: string | null): Generator<string[]> {
  if (lines === null) return;
  for (const line of lines.split('\n')) yield line.split('\t');
}

/** By the number of a feature. */
type ByFeature<Thing> = Thing[];
/** By the number of an environment first. */
type ByPlace<Thing> = ByFeature<Thing>[];

const emptyPlaces = <Thing>(environments: readonly Environment[]): ByPlace<Thing> =>
  environments.map(() => []);

interface State {
  readonly enabled: boolean;
  readonly variantCount: number;
  readonly variants: string;
  /** Empty: never. */
  readonly lastSeenAt: string;
}

const unset: State = { enabled: false, variantCount: 0, variants: '[]', lastSeenAt: '' };
const switchedOn: State = { ...unset, enabled: true };

function statesOf(rows: FeatureLines, environments: readonly Environment[]): ByPlace<State> {
  const states = emptyPlaces<State>(environments);
  for (const [environment, features = ''] of rowsOf(rows.switched)) {
    const here = states[Number(environment)] as ByFeature<State>;
    for (const feature of features.split(' ')) here[Number(feature)] = switchedOn;
  }
  for (const row of rowsOf(rows.states)) {
    const [environment, feature, enabled, variants = '', lastSeenAt = ''] = row;
    (states[Number(environment)] as ByFeature<State>)[Number(feature)] = {
      enabled: enabled === 'true',
      variantCount: JSON.parse(variants).length,
      variants,
      lastSeenAt,
    };
  }
  return states;
}

interface Strategy {
  readonly id: string;
  readonly active: boolean;
  readonly sortOrder: number;
  readonly createdAt: number;
  readonly json: string;
}

/** Most features have one strategy in an environment; several are not in order yet. */
function strategiesOf(
  rows: FeatureLines,
  environments: readonly Environment[],
): ByPlace<Strategy[]> {
  const places = emptyPlaces<Strategy[]>(environments);
  for (const row of rowsOf(rows.strategies)) {
    const [environment, feature, disabled, sortOrder, createdAt, id = '', json = ''] = row;
    const here = places[Number(environment)] as ByFeature<Strategy[]>;
    const strategy = {
      id,
      active: disabled === 'false',
      sortOrder: Number(sortOrder),
      createdAt: Number(createdAt),
      json,
    };
    const known = here[Number(feature)];
    if (known) known.push(strategy);
    else here[Number(feature)] = [strategy];
  }
  return places;
}

const inOrder = (strategies: Strategy[]): Strategy[] =>
  strategies.length === 1
    ? strategies
    : strategies.sort(
        (a, b) => a.sortOrder - b.sortOrder || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
      );

/** With commas between what belongs to one feature. */
function add(lists: ByFeature<string>, feature: number, item: string): void {
  const known = lists[feature];
  lists[feature] = known === undefined ? item : `${known},${item}`;
}

function tagsOf(lines: string | null): ByFeature<string> {
  const tags: ByFeature<string> = [];
  for (const [tag = '', features = ''] of rowsOf(lines)) {
    for (const feature of features.split(' ')) add(tags, Number(feature), tag);
  }
  return tags;
}

/** Children live in the project of their parents, so that every one of them has a line. */
function familyOf(lines: string | null) {
  const dependencies: ByFeature<string> = [];
  const children = new Map<string, string>();
  for (const [feature, child = '', parent = '', dependency = ''] of rowsOf(lines)) {
    add(dependencies, Number(feature), dependency);
    const known = children.get(parent);
    children.set(parent, known === undefined ? `"${child}"` : `${known},"${child}"`);
  }
  return { dependencies, children };
}

const instantOf = (milliseconds: string | undefined): string =>
  new Date(Number(milliseconds)).toISOString();

/** The furthest stage that each feature has entered. */
function lifecyclesOf(lines: string | null): ByFeature<string[]> {
  const furthest: ByFeature<string[]> = [];
  const placeOf = (row: readonly string[]) => stages.indexOf(row[1] as (typeof stages)[number]);
  for (const row of rowsOf(lines)) {
    const known = furthest[Number(row[0])];
    if (!known || placeOf(row) > placeOf(known)) furthest[Number(row[0])] = row;
  }
  return furthest;
}

/** Only a feature that nobody made has entered no stage. */
const lifecycleJson = (row: readonly string[] | undefined, createdAt: string): string => {
  if (!row) return `{"stage":"initial","enteredStageAt":"${createdAt}"}`;
  const [, stage, enteredAt, status] = row;
  return `{"stage":"${stage}","enteredStageAt":"${instantOf(enteredAt)}"${status && `,"status":${status}`}}`;
};

/** People as JSON (2.6); there are few of them, however many features. */
function createPeople(baseUrl: string) {
  const avatars = JSON.stringify(`${baseUrl}/avatars/`).slice(0, -1);
  const known = new Map<string, string>();
  return (id: string, name: string): string => {
    const key = `${id} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const person = `{"id":${id},"name":${name},"imageUrl":${avatars}${id}.svg"}`;
    known.set(key, person);
    return person;
  };
}

/** What a feature is in an environment, behind its name, up to its strategies. */
const stateJson = ({ enabled, variantCount, variants, lastSeenAt }: State, hasActive?: boolean) =>
  `","enabled":${enabled},"variantCount":${variantCount},"variants":${variants}` +
  `,"hasStrategies":${hasActive !== undefined},"hasEnabledStrategies":${hasActive === true}` +
  `${lastSeenAt && `,"lastSeenAt":"${lastSeenAt}"`},"strategies":[`;

/** Nearly all features are like one of these. */
const usual = new Map(
  [unset, switchedOn].map((state) => [
    state,
    {
      none: stateJson(state),
      active: stateJson(state, true),
      disabled: stateJson(state, false),
    },
  ]),
);

function stateText(state: State, strategies: readonly Strategy[] | undefined): string {
  const hasActive = strategies?.some(({ active }) => active);
  const known = usual.get(state);
  if (!known) return stateJson(state, hasActive);
  return hasActive === undefined ? known.none : hasActive ? known.active : known.disabled;
}

interface Surroundings {
  readonly project: string;
  readonly baseUrl: string;
  readonly environments: readonly Environment[];
}

/**
 * As pieces of text, which are joined once: made as objects, or feature by feature, 10,000 of them take
 * twice as long, most of it to collect what is left over.
 */
export function featureTexts(
  rows: FeatureLines,
  { project, baseUrl, environments }: Surroundings,
): FeatureTexts {
  const personOf = createPeople(baseUrl);
  const states = statesOf(rows, environments);
  const strategies = strategiesOf(rows, environments);
  const segments = new Map([...rowsOf(rows.segments)].map(([id, list]) => [id, list]));
  const tags = tagsOf(rows.tags);
  const { dependencies, children } = familyOf(rows.dependencies);
  const lifecycles = lifecyclesOf(rows.lifecycles);
  const authors: ByFeature<string> = [];
  for (const [feature, id = '', name = ''] of rowsOf(rows.authors)) {
    add(authors, Number(feature), personOf(id, name));
  }
  const heads: ByFeature<string[]> = [];
  for (const row of rowsOf(rows.heads)) heads[Number(row[0])] = row;
  const beginnings = environments.map(({ name, type, sortOrder }) => {
    const fields = JSON.stringify({ name, environment: name, type, sortOrder });
    return `${fields.slice(0, -1)},"featureName":"`;
  });

  const names: string[] = [];
  const pieces: string[] = [];
  const favoriteAt: number[] = [];
  for (const [feature, row] of heads.entries()) {
    const [, name = '', fields = '', born, creatorId = '', creatorName = ''] = row;
    const createdAt = instantOf(born);
    const creator = personOf(creatorId, creatorName);
    let enabled = false;
    let lastSeenAt = '';
    let variants = '[]';
    pieces.push(feature === 0 ? '{"name":"' : ',{"name":"', name, '","project":"', project, '",');
    pieces.push(
      fields,
      ',"createdAt":"',
      createdAt,
      '","createdBy":',
      creator,
      ',"environments":[',
    );
    for (const [place, beginning] of beginnings.entries()) {
      const state = states[place]?.[feature] ?? unset;
      const own = strategies[place]?.[feature];
      enabled ||= state.enabled;
      if (state.lastSeenAt > lastSeenAt) lastSeenAt = state.lastSeenAt;
      if (state.variantCount > 0) variants = state.variants;
      pieces.push(place === 0 ? '' : ',', beginning, name, stateText(state, own));
      if (own) {
        let separator = '';
        for (const { id, json } of inOrder(own)) {
          pieces.push(separator, json, segments.get(id) ?? '', ']}');
          separator = ',';
        }
      }
      pieces.push(']}');
    }
    pieces.push(enabled ? '],"enabled":true' : '],"enabled":false');
    if (lastSeenAt !== '') pieces.push(',"lastSeenAt":"', lastSeenAt, '"');
    pieces.push(',"variants":', variants, ',"tags":[', tags[feature] ?? '');
    pieces.push('],"children":[', children.get(name) ?? '', '],"lifecycle":');
    pieces.push(lifecycleJson(lifecycles[feature], createdAt));
    pieces.push(',"dependencies":[', dependencies[feature] ?? '', '],"collaborators":{"users":[');
    const others = authors[feature];
    if (others === undefined) pieces.push(creator);
    else pieces.push(creator, ',', others);
    pieces.push(']},"favorite":', 'false', '}');
    favoriteAt.push(pieces.length - 2);
    names.push(name);
  }
  return { names, pieces, favoriteAt };
}

/** The same, with these features as favourites. */
export function withFavorites(
  { names, pieces, favoriteAt }: FeatureTexts,
  favorites: ReadonlySet<string>,
): string {
  const own = [...pieces];
  for (const [feature, name] of names.entries()) {
    if (favorites.has(name)) own[favoriteAt[feature] as number] = 'true';
  }
  return own.join('');
}
