import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import { instantText } from '../../../platform/db/instant-text.ts';
import {
  type ChangeRequestEnvironment,
  getDefaultStrategy,
} from '../../catalogue/projects/index.ts';
import type { Json, JsonObject } from '../../events/index.ts';
import { type FeatureSetChange, listStrategies } from '../../flags/features/index.ts';
import { type LoggedEvent, readEventChanges } from '../../history/index.ts';

/** What a change is about. */
export interface Subject {
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: string;
  readonly payload: unknown;
}

interface PlacedSubject extends Subject {
  readonly environment: string;
}

/** The present state of everything that some changes touch. */
export interface CurrentState {
  readonly features: ReadonlyMap<
    string,
    { readonly project: string; readonly archived: boolean; readonly createdAt: Date }
  >;
  /** Null if the change touches nothing that others can change; undefined if what it touches is gone. */
  readonly touched: (subject: Subject) => Json | null | undefined;
  /** A hash of the constraints of each segment that strategies of the change use; null if they use none. */
  readonly usedSegments: (subject: Pick<Subject, 'action' | 'payload'>) => JsonObject | null;
}

/** A value without undefined, as the database returns it. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const idOf = (payload: unknown) => (payload as { readonly id?: unknown } | null)?.id;

/** A gradual rollout without stickiness gets that of the project. */
function lacksStickiness(payload: unknown): boolean {
  const { name, parameters } = payload as {
    readonly name?: unknown;
    readonly parameters?: { readonly stickiness?: unknown };
  };
  return name === 'flexibleRollout' && !parameters?.stickiness;
}

/** The changes that a change set makes as one. */
export const partsOf = ({ action, payload }: Pick<Subject, 'action' | 'payload'>) =>
  action === 'saveFeatureChanges'
    ? (payload as { readonly changes: readonly FeatureSetChange[] }).changes
    : [];

/** Parts of change sets name their environment, which may be another one than that of the request. */
const otherEnvironments = (subjects: readonly Subject[]): string[] => [
  ...new Set(
    subjects.flatMap(partsOf).flatMap((part) => ('environment' in part && part.environment) || []),
  ),
];

/** The segments that strategies of a change use. A file that is imported has its own ids, so they are found by name. */
interface UsedSegments {
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

/** The ids in all lists of segments in a payload. */
function segmentIdsIn(payload: unknown, found: number[] = []): number[] {
  if (typeof payload !== 'object' || payload === null) return found;
  for (const [key, value] of Object.entries(payload)) {
    if (key !== 'segments' || !Array.isArray(value)) segmentIdsIn(value, found);
    else found.push(...value.filter((id): id is number => Number.isSafeInteger(id)));
  }
  return found;
}

type Change = Pick<Subject, 'action' | 'payload'>;

const revertedBy = ({ action, payload }: Change): readonly number[] =>
  action === 'revertEvents' ? (payload as { readonly eventIds: readonly number[] }).eventIds : [];

/** The segments that reverting an event brings back, such as those of a removed strategy or a deleted feature. */
async function readSegmentsOfEvents(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LoggedEvent>`
    select e.id::float8 as id, e.type, ${instantText('e.created_at')} as "createdAt", e.project,
      e.environment, e.feature_name as "featureName", e.data, e.pre_data as "preData"
    from events e where e.id = any(${ids}::bigint[]) order by e.id`.execute(db);
  // The event of a deletion doesn't have the strategies.
  const deletions = rows.filter(({ type }) => type === 'feature-deleted');
  const changes = deletions.length > 0 ? await readEventChanges(db, deletions) : undefined;
  const lostIn = (id: number) => (changes?.of(id) ?? []).map(({ before }) => before);
  return new Map(
    rows.map(({ id, data, preData }) => [id, segmentIdsIn([data, preData, lostIn(id)])]),
  );
}

/** Returns the segments that each of these changes uses. */
export async function readSegmentUses(
  db: Db,
  changes: readonly Change[],
): Promise<(change: Change) => UsedSegments> {
  const ofEvents = await readSegmentsOfEvents(db, changes.flatMap(revertedBy));
  return (change) => {
    const { action, payload } = change;
    if (action !== 'importFeatures') {
      const reverted = revertedBy(change).flatMap((id) => ofEvents.get(id) ?? []);
      return { ids: [...segmentIdsIn(payload), ...reverted], names: [] };
    }
    const { data } = payload as { data: { segments?: readonly WithName[] } };
    return { ids: [], names: (data.segments ?? []).map(({ name }) => name) };
  };
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
  const strategies = does('updateStrategy', 'deleteStrategy', 'reorderStrategy', 'updateEnabled')
    ? await listStrategies(db, names, [environment, ...otherEnvironments(subjects)])
    : [];
  const variants = does('patchVariant', 'updateVariants') ? await listVariants(db, names) : [];
  const parents = does('deleteDependency') ? await listParents(db, names) : [];
  const segments = segmentIds.length > 0 ? await listSegments(db, segmentIds, place.project) : [];
  const defaultStrategy = does('updateDefaultStrategy', 'updateEnabled')
    ? plain(await getDefaultStrategy(db, place))
    : null;
  const stickiness = does('updateEnabled', 'addStrategy')
    ? await findDefaultStickiness(db, place.project)
    : null;

  const segmentsUsedBy = await readSegmentUses(db, subjects);
  const constraintHashes = await readConstraintHashes(db, subjects.map(segmentsUsedBy));
  const usedSegments: CurrentState['usedSegments'] = (subject) => {
    const { ids, names: byNames } = segmentsUsedBy(subject);
    const used = [...ids.map(String), ...byNames];
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
  const withEnabledStrategy = new Set<string | null>(
    strategies
      .filter((each) => each.environment === environment && !each.disabled)
      .map(({ featureName }) => featureName),
  );
  /** Without an enabled strategy, enabling a feature adds the default one. */
  const addedByEnabling = ({ feature, payload }: Subject): Json | null => {
    if ((payload as { readonly enabled?: unknown }).enabled !== true) return null;
    const hasEnabled = withEnabledStrategy.has(feature);
    return { defaultStrategy: hasEnabled ? null : defaultStrategy, stickiness };
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
  const readers: Readonly<Record<string, (subject: PlacedSubject) => Json | null | undefined>> = {
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
    updateFeature: ({ feature }) => byName.get(feature ?? '')?.metadata,
    updateSegment: segmentOf,
    deleteSegment: segmentOf,
    updateDefaultStrategy: () => defaultStrategy,
    updateEnabled: addedByEnabling,
    addStrategy: ({ payload }) => (lacksStickiness(payload) ? { stickiness } : null),
    saveFeatureChanges: (subject) => {
      const states = partsOf(subject).map((part) =>
        // What it adds depends on the other parts.
        part.action === 'updateEnabled' || part.action === 'addStrategy'
          ? null
          : touchedIn({ ...subject, ...part }),
      );
      return states.some((state) => state === undefined) ? undefined : (states as Json[]);
    },
    ...Object.fromEntries(Object.keys(namedFeatures).map((action) => [action, namedStates])),
  };
  const touchedIn = (subject: PlacedSubject): Json | null | undefined => {
    const read = readers[subject.action];
    return read ? read(subject) : null;
  };
  return {
    features: new Map(
      features.map(({ name, project, archived, createdAt }) => [
        name,
        { project, archived, createdAt },
      ]),
    ),
    touched: (subject) => touchedIn({ ...subject, environment }),
    usedSegments,
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

/** By id and by name. */
async function readConstraintHashes(
  db: Db,
  used: readonly UsedSegments[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(used.flatMap((each) => each.ids))];
  const names = [...new Set(used.flatMap((each) => each.names))];
  if (ids.length + names.length === 0) return new Map();
  const { rows } = await sql<{ id: number; name: string; hash: string }>`
    select id, name, encode(sha256(convert_to(constraints::text, 'UTF8')), 'hex') as hash
    from segments where id = any(${ids}::bigint[]) or name = any(${names}::text[])`.execute(db);
  return new Map(
    rows.flatMap(({ id, name, hash }) => [
      ...(ids.includes(id) ? [[String(id), hash] as const] : []),
      ...(names.includes(name) ? [[name, hash] as const] : []),
    ]),
  );
}

async function findDefaultStickiness(db: Db, project: string): Promise<string | null> {
  const row = await db
    .selectFrom('projects')
    .where('id', '=', project)
    .select('default_stickiness as stickiness')
    .executeTakeFirst();
  return row?.stickiness ?? null;
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
