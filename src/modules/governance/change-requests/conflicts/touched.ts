import { sql } from 'kysely';
import type { Db } from '../../../../platform/db/database.ts';
import type { ChangeRequestEnvironment } from '../../../catalogue/projects/index.ts';
import type { Json, JsonObject } from '../../../events/index.ts';
import { listStrategies, readProjectDefaults } from '../../../flags/features/index.ts';
import { followStrategies, type Step } from './followed-strategies.ts';
import { lacksStickiness, mayGetStickiness, withStickiness } from './stickiness.ts';
import { partsOf, type Subject } from './subject.ts';
import { readConstraintHashes, readSegmentUses } from './used-segments.ts';

/** The present state of what a change touches. */
interface Touched {
  /** Null if the change touches nothing that others can change; undefined if what it touches is gone. */
  readonly state: Json | null | undefined;
  /**
   * A hash of the constraints of each segment that strategies of the change use, also of the default strategies that it
   * adds; null if they use none.
   */
  readonly usedSegments: JsonObject | null;
}

/** The present state of everything that some changes touch. */
export interface CurrentState {
  readonly features: ReadonlyMap<
    string,
    { readonly project: string; readonly archived: boolean; readonly createdAt: Date }
  >;
  /** The payloads of the changes of a request, with the stickiness that they get from the project. */
  readonly payloadsOf: (changes: readonly Subject[]) => readonly unknown[];
  /** For the changes of a request, in their order: what a change adds depends on earlier ones. */
  readonly touchedBy: (changes: readonly Subject[]) => readonly Touched[];
}

/** A value without undefined, as the database returns it. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const idOf = (payload: unknown) => (payload as { readonly id?: unknown } | null)?.id;

/** Parts of change sets name their environment, which may be another one than that of the request. */
const otherEnvironments = (subjects: readonly Subject[]): string[] => [
  ...new Set(
    subjects.flatMap(partsOf).flatMap((part) => ('environment' in part && part.environment) || []),
  ),
];

interface NewFeature extends WithName {
  readonly environments?: readonly (WithName & { readonly strategies?: readonly unknown[] })[];
}

interface WithName {
  readonly name: string;
}

/** The features that an action names in its payload, by what its approval depends on. */
interface NamedFeatures {
  /** What they evaluate, in all environments. */
  readonly copied?: readonly string[];
  /** What they evaluate in the environment of the request. */
  readonly replaced?: readonly string[];
  /** Their project, and what they evaluate in all environments. */
  readonly moved?: readonly string[];
  /** Their project, and whether they are archived. */
  readonly located?: readonly string[];
  /** That there is no such feature. */
  readonly created?: readonly string[];
}

const namedFeatures: Readonly<Record<string, (payload: never) => NamedFeatures>> = {
  createFeature: ({ name }: WithName) => ({ created: [name] }),
  cloneFeatures: ({ features }: { features: readonly (WithName & { feature: string })[] }) => ({
    copied: features.map(({ feature }) => feature),
    created: features.map(({ name }) => name),
  }),
  importFeatures: ({ data }: { data: { features: readonly WithName[] } }) => ({
    replaced: data.features.map(({ name }) => name),
  }),
  moveFeature: ({ feature }: { feature: string }) => ({ moved: [feature] }),
  reviveFeatures: ({ features }: { features: readonly string[] }) => ({ located: features }),
  deleteFeatures: ({ features }: { features: readonly string[] }) => ({ located: features }),
};

const namedBy = ({ action, payload }: Subject): NamedFeatures =>
  namedFeatures[action]?.(payload as never) ?? {};

/** Features that a change creates or revives, so that later changes of its request can change them. */
export const madeBy = (change: Subject): readonly string[] => {
  const { located = [], created = [] } = namedBy(change);
  return change.action === 'reviveFeatures' ? located : created;
};

/** Changes whose base is a state for each feature that they name. */
export const namesFeatures = (action: string): boolean => Object.hasOwn(namedFeatures, action);

/** Reads what the changes of a request replace: for a strategy its state, for new strategies nothing. */
export async function readCurrentState(
  db: Db,
  place: ChangeRequestEnvironment,
  subjects: readonly Subject[],
): Promise<CurrentState> {
  const { environment } = place;
  const parts = subjects.flatMap((subject) => [subject, ...partsOf(subject)]);
  const does = (...actions: string[]) => parts.some(({ action = '' }) => actions.includes(action));
  const names = [
    ...new Set(subjects.flatMap(({ feature }) => (feature === null ? [] : [feature]))),
  ];
  const segmentIds = [
    ...new Set(subjects.flatMap(({ segmentId }) => (segmentId === null ? [] : [segmentId]))),
  ];
  const named = subjects.map(namedBy);
  const others = named.flatMap(({ located = [], created = [], moved = [] }) => [
    ...located,
    ...created,
    ...moved,
  ]);
  const features = await listFeatures(db, [...new Set([...names, ...others])]);
  const byName = new Map(features.map((feature) => [feature.name, feature]));
  const contents = await readContents(
    db,
    named.flatMap(({ copied = [], moved = [] }) => [...copied, ...moved]),
  );
  const contentsHere = await readContents(
    db,
    named.flatMap(({ replaced = [] }) => replaced),
    environment,
  );
  const originals = does('updateEnabled') ? named.flatMap(({ copied = [] }) => copied) : [];
  const strategies = does('updateStrategy', 'deleteStrategy', 'reorderStrategy', 'updateEnabled')
    ? await listStrategies(
        db,
        [...new Set([...names, ...originals])],
        [environment, ...otherEnvironments(subjects)],
      )
    : [];
  const variants = does('patchVariant', 'updateVariants') ? await listVariants(db, names) : [];
  const parents = does('deleteDependency') ? await listParents(db, names) : [];
  const segments = segmentIds.length > 0 ? await listSegments(db, segmentIds, place.project) : [];
  const needsDefaults =
    does('updateDefaultStrategy', 'updateEnabled', 'addStrategy', 'createFeature') ||
    parts.some(mayGetStickiness);
  const defaults = needsDefaults ? await readProjectDefaults(db, place.project) : undefined;
  const stickiness = defaults?.defaultStickiness ?? null;
  const defaultStrategyIn = (environment: string) => defaults?.defaultStrategies.get(environment);

  const segmentsIn = (environment: string) => defaultStrategyIn(environment)?.segments ?? [];
  const segmentsUsedBy = await readSegmentUses(db, subjects);
  const constraintHashes = await readConstraintHashes(db, [
    ...subjects.map(segmentsUsedBy),
    { ids: [...(defaults?.defaultStrategies.keys() ?? [])].flatMap(segmentsIn), names: [] },
  ]);
  const usedSegments = (subject: Subject, adding: readonly string[]): JsonObject | null => {
    const { ids, names: byNames } = segmentsUsedBy(subject);
    const used = [...[...ids, ...adding.flatMap(segmentsIn)].map(String), ...byNames];
    if (used.length === 0) return null;
    return Object.fromEntries(used.map((key) => [key, constraintHashes.get(key) ?? null]));
  };

  const strategyById = new Map<unknown, (typeof strategies)[number]>(
    strategies.map((strategy) => [strategy.id, strategy]),
  );
  const strategyOf = ({ feature, payload }: Subject) => {
    const found = strategyById.get(idOf(payload));
    if (found?.featureName !== feature) return undefined;
    const { environment: _environment, featureName: _name, sortOrder: _order, ...strategy } = found;
    return strategy as JsonObject;
  };
  /** Without an enabled strategy, enabling a feature adds the default one. */
  const addition = (environment: string, addsDefault: boolean): JsonObject => ({
    defaultStrategy: (addsDefault && plain(defaultStrategyIn(environment) ?? null)) || null,
    stickiness,
  });
  const newFeature = ({ payload }: Step, adding: readonly string[]): Json => {
    const { name, environments = [] } = payload as NewFeature;
    if (byName.has(name)) return { [name]: 'taken' };
    const added = environments.flatMap(({ name: each, strategies: own = [] }) => {
      if (adding.includes(each)) return [[each, addition(each, true)] as const];
      return own.some(lacksStickiness) ? [[each, { stickiness }] as const] : [];
    });
    return { [name]: added.length > 0 ? Object.fromEntries(added) : null };
  };
  const segmentOf = ({ segmentId }: Subject) => {
    const found = segments.find(({ id }) => id === segmentId);
    return found && plain(found);
  };
  const variantsOf = ({ feature }: Subject) =>
    variants.filter(({ name, variants }) => name === feature && variants.length > 0);
  const variantsIn = (subject: Subject, environment: string) =>
    variantsOf(subject).find((each) => each.environment === environment)?.variants ?? [];
  const namedStates = (subject: Subject): Json => {
    const { copied = [], replaced = [], moved = [], located = [], created = [] } = namedBy(subject);
    const locationOf = (name: string) => {
      const found = byName.get(name);
      return found ? { project: found.project, archived: found.archived } : null;
    };
    return Object.fromEntries([
      ...created.map((name) => [name, byName.has(name) ? 'taken' : null]),
      ...copied.map((name) => [name, contents.get(name) ?? null]),
      ...replaced.map((name) => [name, contentsHere.get(name) ?? null]),
      ...located.map((name) => [name, locationOf(name)]),
      ...moved.map((name) => {
        const location = locationOf(name);
        return [name, location && { ...location, content: contents.get(name) ?? null }];
      }),
    ]);
  };
  /** `adding`: the environments in which the change adds the default strategy. */
  type Reader = (step: Step, adding: readonly string[]) => Json | null | undefined;
  const readers: Readonly<Record<string, Reader>> = {
    updateStrategy: strategyOf,
    deleteStrategy: strategyOf,
    reorderStrategy: ({ feature, environment }) =>
      strategies
        .filter((each) => each.featureName === feature && each.environment === environment)
        .map(({ id }) => id),
    patchVariant: (subject) => plain({ variants: variantsIn(subject, subject.environment) }),
    // Without environments, in all of them.
    updateVariants: (subject) => {
      const { environments } = subject.payload as { readonly environments?: readonly string[] };
      const all = variantsOf(subject).map((each) => each.environment);
      return plain(
        Object.fromEntries((environments ?? all).map((each) => [each, variantsIn(subject, each)])),
      );
    },
    deleteDependency: ({ feature, payload }) => {
      const { feature: parent } = payload as { readonly feature?: string };
      const own = parents.filter(({ child }) => child === feature);
      return own
        .map((each) => each.parent)
        .filter((each) => parent === undefined || each === parent);
    },
    // Null: an earlier change creates it.
    updateFeature: ({ feature }) => byName.get(feature ?? '')?.metadata ?? null,
    updateSegment: segmentOf,
    deleteSegment: segmentOf,
    updateDefaultStrategy: ({ environment }) => plain(defaultStrategyIn(environment) ?? null),
    updateEnabled: ({ environment, payload }, adding) =>
      (payload as { readonly enabled?: unknown }).enabled === true
        ? addition(environment, adding.length > 0)
        : null,
    addStrategy: ({ payload }) => (lacksStickiness(payload) ? { stickiness } : null),
    ...Object.fromEntries(Object.keys(namedFeatures).map((action) => [action, namedStates])),
    createFeature: newFeature,
  };
  const touchedBy: CurrentState['touchedBy'] = (changes) => {
    const follow = followStrategies(strategies);
    const touch = (step: Step) => {
      const adding = follow(step);
      const read = readers[step.action];
      return { state: read ? read(step, adding) : null, adding };
    };
    return changes.map((change): Touched => {
      const step = { ...change, environment };
      if (change.action !== 'saveFeatureChanges') {
        const { state, adding } = touch(step);
        return { state, usedSegments: usedSegments(change, adding) };
      }
      const parts = partsOf(change).map((part) => touch({ ...step, ...part }));
      const states = parts.map(({ state }) => state);
      const isGone = states.some((state) => state === undefined);
      return {
        state: isGone ? undefined : (states as Json[]),
        usedSegments: usedSegments(
          change,
          parts.flatMap(({ adding }) => adding),
        ),
      };
    });
  };
  return {
    features: new Map(
      features.map(({ name, project, archived, createdAt }) => [
        name,
        { project, archived, createdAt },
      ]),
    ),
    payloadsOf: (changes) =>
      withStickiness(changes, stickiness, new Map(strategies.map(({ id, name }) => [id, name]))),
    touchedBy,
  };
}

const among = (column: string, names: readonly string[]) =>
  sql<boolean>`${sql.ref(column)} = any(${names}::text[])`;

async function listFeatures(db: Db, names: readonly string[]) {
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('features')
    .where(among('name', names))
    .select([
      'name',
      'project',
      'type',
      'description',
      'impression_data as impressionData',
      'stale',
      'archived_at as archivedAt',
      'created_at as createdAt',
    ])
    .execute();
  return rows.map(({ name, project, archivedAt, createdAt, ...metadata }) => ({
    name,
    project,
    createdAt,
    archived: archivedAt !== null,
    metadata: metadata as JsonObject,
  }));
}

/**
 * What active features evaluate, in one environment or in all, as a hash: who reads a request need not see the features
 * that it copies.
 */
async function readContents(
  db: Db,
  names: readonly string[],
  environment: string | null = null,
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  const { rows } = await sql<{ name: string; content: string }>`
    select feature.name, encode(sha256(convert_to(jsonb_build_array(
      (select jsonb_agg(jsonb_build_array(strategy.environment, strategy.name, strategy.title,
          strategy.disabled, strategy.parameters, strategy.constraints, strategy.variants,
          (select jsonb_agg(jsonb_build_array(segment.id, segment.constraints) order by segment.id)
            from feature_strategy_segments used join segments segment on segment.id = used.segment_id
            where used.strategy_id = strategy.id))
          order by strategy.environment, strategy.sort_order, strategy.created_at, strategy.id)
        from feature_strategies strategy
        where strategy.feature_name = feature.name
          and (${environment}::text is null or strategy.environment = ${environment})),
      (select jsonb_agg(jsonb_build_array(state.environment, state.variants)
          order by state.environment)
        from feature_environments state
        where state.feature_name = feature.name and state.variants::text <> '[]'
          and (${environment}::text is null or state.environment = ${environment})),
      (select jsonb_agg(jsonb_build_array(parent, enabled, variants) order by parent)
        from feature_dependencies where child = feature.name)
    )::text, 'UTF8')), 'hex') as content
    from features feature
    where feature.name = any(${[...new Set(names)]}::text[]) and feature.archived_at is null`.execute(
    db,
  );
  return new Map(rows.map(({ name, content }) => [name, content]));
}

const listVariants = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_environments')
    .where(among('feature_name', names))
    .select(['feature_name as name', 'environment', 'variants'])
    .orderBy('environment')
    .execute();

const listParents = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_dependencies')
    .where(among('child', names))
    .select(['child', 'parent'])
    .orderBy('child')
    .orderBy('parent')
    .execute();

/** Those that a project can use: readers of its requests need not see the others. */
const listSegments = (db: Db, ids: readonly number[], project: string) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .where((where) => where.or([where('project', 'is', null), where('project', '=', project)]))
    .select(['id', 'name', 'description', 'project', 'constraints'])
    .execute();
