import { isDeepStrictEqual } from 'node:util';
import {
  type CurrentState,
  type FeatureEnvironmentState,
  type FeatureState,
  type Kind,
  nameOfThing,
  type States,
  type Thing,
} from '../../history/index.ts';

/** When something was archived can't come back, only that it was. */
type WithoutTime<State> = Omit<State, 'archivedAt'> & { readonly archived: boolean };

export type ComparedFeature = WithoutTime<FeatureState>;

/** States in the form in which they are compared. */
export interface Compared extends Omit<States, 'feature' | 'project'> {
  feature: ComparedFeature;
  project: WithoutTime<States['project']>;
}

const withoutTime = <S extends { readonly archivedAt: string | null }>({
  archivedAt,
  ...state
}: S): WithoutTime<S> => ({ ...state, archived: archivedAt !== null });

const nothingThere: FeatureEnvironmentState = { enabled: false, variants: [], strategies: [] };

/** A state of the history in the form in which it is compared. */
export function comparable(kind: Kind, state: unknown): unknown {
  if (kind === 'feature-environment') return inOrder(kind, state ?? nothingThere);
  // Without a state, they have no roles in the project.
  if (kind === 'project-user' || kind === 'project-group') return state ?? [];
  if (state === undefined) return undefined;
  const isArchivable = kind === 'feature' || kind === 'project';
  return inOrder(kind, isArchivable ? withoutTime(state as States['project']) : state);
}

const byText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const sorted = <Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] =>
  items.toSorted((a, b) => byText(keyOf(a), keyOf(b)));

/** The state with its lists in one order. */
function inOrder(kind: Kind, state: unknown): unknown {
  if (state === undefined) return undefined;
  if (kind === 'feature-environment') {
    const { strategies, variants, enabled } = state as FeatureEnvironmentState;
    return {
      enabled,
      // In their own order, which decides who gets which.
      variants,
      // Those with the same sort order stay in the order in which they were added.
      strategies: strategies.toSorted((a, b) => a.sortOrder - b.sortOrder),
    };
  }
  if (kind === 'feature') {
    const feature = state as ComparedFeature;
    return {
      ...feature,
      tags: sorted(feature.tags, ({ type, value }) => JSON.stringify([type, value])),
      dependencies: sorted(feature.dependencies, (parent) => parent.feature),
    };
  }
  if (kind === 'role') {
    const role = state as States['role'];
    const keyOf = (held: (typeof role.permissions)[number]) =>
      JSON.stringify([held.name, held.environment]);
    return { ...role, permissions: sorted(role.permissions, keyOf) };
  }
  return state;
}

/** Without this state, the thing is the same. */
export const isNothing = ({ kind }: Thing, state: unknown): boolean =>
  isDeepStrictEqual(state, comparable(kind, undefined));

/** Links that come back follow those that are there, so that their order is no difference. */
function withoutOrder(kind: Kind, state: unknown): unknown {
  if (kind !== 'feature' || state === undefined) return state;
  const feature = state as ComparedFeature;
  return { ...feature, links: sorted(feature.links, ({ id }) => id) };
}

export const isSame = (kind: Kind, a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(withoutOrder(kind, a), withoutOrder(kind, b));

/** States by thing, as they are compared. */
export interface Board {
  readonly get: <K extends Kind>(kind: K, key: string, part?: string) => Compared[K] | undefined;
  readonly find: (thing: Thing) => unknown;
  readonly partsOf: <K extends Kind>(kind: K, key: string) => ReadonlyMap<string, Compared[K]>;
  readonly things: () => readonly Thing[];
}

export interface ChangingBoard extends Board {
  readonly set: (thing: Thing, state: unknown) => void;
}

/** Takes states of the history. */
export function createBoard(states: readonly CurrentState[]): ChangingBoard {
  const all = new Map<string, CurrentState>();
  const set = (thing: Thing, state: unknown) => {
    const { kind, key, part } = thing;
    if (state === undefined) all.delete(nameOfThing(thing));
    else all.set(nameOfThing(thing), { kind, key, part, state: inOrder(kind, state) });
  };
  for (const each of states) set(each, comparable(each.kind, each.state));
  const find = (thing: Thing): unknown =>
    all.get(nameOfThing(thing))?.state ?? comparable(thing.kind, undefined);
  return {
    set,
    find,
    get: (kind, key, part = '') => find({ kind, key, part }) as never,
    partsOf: (kind, key) =>
      new Map(
        [...all.values()]
          .filter((each) => each.kind === kind && each.key === key)
          .map(({ part, state }) => [part, state as never]),
      ),
    things: () => [...all.values()].map(({ kind, key, part }) => ({ kind, key, part })),
  };
}

/** The things that have another state afterwards. */
export function changedThings(now: Board, target: Board): Thing[] {
  const all = new Map(
    [...now.things(), ...target.things()].map((thing) => [nameOfThing(thing), thing]),
  );
  return [...all.values()].filter(
    (thing) => !isSame(thing.kind, now.find(thing), target.find(thing)),
  );
}

/** What the response calls a thing. */
export interface NamedThing {
  readonly type: Kind;
  readonly project?: string;
  readonly name: string;
  readonly environment?: string;
}

/** The project that a thing belongs to, by one of its states. */
export function projectOf({ kind, key }: Thing, state: unknown, board: Board): string | undefined {
  if (kind === 'feature') return (state as ComparedFeature | undefined)?.project;
  if (kind === 'feature-environment') return board.get('feature', key)?.project;
  if (kind === 'segment') return (state as States['segment'] | undefined)?.project;
  return kind.startsWith('project') ? key : undefined;
}

export function nameThing(
  thing: Thing,
  states: readonly (readonly [unknown, Board])[],
): NamedThing {
  const { kind, key, part } = thing;
  const [state] = states.find(([each]) => each !== undefined) ?? [];
  const project = states
    .map(([each, board]) => projectOf(thing, each, board))
    .find((each) => each !== undefined);
  const shown = (state as { readonly name?: string } | undefined)?.name;
  const isInEnvironment = kind === 'feature-environment' || kind === 'project-environment';
  return {
    type: kind,
    ...(project !== undefined && { project }),
    name: isInEnvironment ? key : part === '' ? (shown ?? key) : `${key}:${part}`,
    ...(isInEnvironment && { environment: part }),
  };
}

/** What has no name of its own. */
const ofOther: Readonly<Partial<Record<Kind, (thing: Thing) => string>>> = {
  'project-user': ({ key, part }) => `Access of user ${part} to the project '${key}'`,
  'project-group': ({ key, part }) => `Access of group ${part} to the project '${key}'`,
  'group-user': ({ key, part }) => `Membership of user ${part} in group ${key}`,
  account: ({ key }) => `The root role of account ${key}`,
  setting: ({ key }) => `The setting '${key}'`,
};

/** What a refusal calls a thing. */
export function inWords(thing: Thing, states: Parameters<typeof nameThing>[1]): string {
  const special = ofOther[thing.kind];
  if (special) return special(thing);
  const { name, environment } = nameThing(thing, states);
  return environment === undefined ? `'${name}'` : `'${name}' in ${environment}`;
}
