import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';
import type { Json, JsonObject } from '../../events/index.ts';
import { listStrategies } from '../../flags/features/index.ts';

/** What a change is about. */
export interface Subject {
  readonly feature: string | null;
  readonly segmentId: number | null;
  readonly action: string;
  readonly payload: unknown;
}

/** The present state of everything that some changes touch. */
export interface CurrentState {
  readonly features: ReadonlyMap<
    string,
    { readonly project: string; readonly archived: boolean; readonly createdAt: Date }
  >;
  readonly touched: (subject: Subject) => Json | null | undefined;
  readonly segmentNames: ReadonlyMap<number, string>;
}

/** A value without undefined, as the database returns it. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

const idOf = (payload: unknown) => (payload as { readonly id?: unknown } | null)?.id;

/** The names of the features that a change copies. */
const originalsOf = ({ action, payload }: Subject): string[] =>
  action === 'cloneFeatures'
    ? (payload as { readonly features: readonly { readonly feature: string }[] }).features.map(
        ({ feature }) => feature,
      )
    : [];

/** Reads what the changes of a request replace: for a strategy its state, for new strategies nothing. */
export async function readCurrentState(
  db: Db,
  environment: string,
  subjects: readonly Subject[],
): Promise<CurrentState> {
  const names = [
    ...new Set(subjects.flatMap(({ feature }) => (feature === null ? [] : [feature]))),
  ];
  const segmentIds = [
    ...new Set(subjects.flatMap(({ segmentId }) => (segmentId === null ? [] : [segmentId]))),
  ];
  const features = await listFeatures(db, names);
  const of = (action: string) => subjects.some((subject) => subject.action === action);
  const originals = await listStrategies(db, subjects.flatMap(originalsOf));
  const strategies =
    of('updateStrategy') || of('deleteStrategy') || of('reorderStrategy')
      ? (await listStrategies(db, names)).filter((each) => each.environment === environment)
      : [];
  const variants = of('patchVariant') ? await listVariants(db, names, environment) : new Map();
  const parents = of('deleteDependency') ? await listParents(db, names) : [];
  const segments = segmentIds.length > 0 ? await listSegments(db, segmentIds) : [];

  const strategyOf = ({ feature, payload }: Subject) => {
    const found = strategies.find(
      ({ id, featureName }) => id === idOf(payload) && featureName === feature,
    );
    if (!found) return undefined;
    const { environment: _environment, featureName: _name, sortOrder: _order, ...strategy } = found;
    return plain(strategy);
  };
  const segmentOf = ({ segmentId }: Subject) => {
    const found = segments.find(({ id }) => id === segmentId);
    return found && plain(found);
  };
  const readers: Readonly<Record<string, (subject: Subject) => Json | null | undefined>> = {
    updateStrategy: strategyOf,
    deleteStrategy: strategyOf,
    reorderStrategy: ({ feature }) =>
      strategies.filter(({ featureName }) => featureName === feature).map(({ id }) => id),
    patchVariant: ({ feature }) => plain({ variants: variants.get(feature) ?? [] }),
    deleteDependency: ({ feature }) =>
      plain(parents.filter(({ child }) => child === feature).map(({ parent }) => parent)),
    updateFeature: ({ feature }) => features.find(({ name }) => name === feature)?.metadata,
    // A clone that is applied is the clone that was approved.
    cloneFeatures: (subject) => {
      const names = originalsOf(subject);
      return plain(originals.filter(({ featureName }) => names.includes(featureName)));
    },
    updateSegment: segmentOf,
    deleteSegment: segmentOf,
  };
  return {
    features: new Map(
      features.map(({ name, project, archived, createdAt }) => [
        name,
        { project, archived, createdAt },
      ]),
    ),
    segmentNames: new Map(segments.map(({ id, name }) => [id, name])),
    touched: (subject) => {
      const read = readers[subject.action];
      return read ? read(subject) : null;
    },
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

async function listVariants(db: Db, names: readonly string[], environment: string) {
  const rows = await db
    .selectFrom('feature_environments')
    .where(among('feature_name', names))
    .where('environment', '=', environment)
    .select(['feature_name as name', 'variants'])
    .execute();
  return new Map(rows.map(({ name, variants }) => [name, variants]));
}

const listParents = (db: Db, names: readonly string[]) =>
  db
    .selectFrom('feature_dependencies')
    .where(among('child', names))
    .select(['child', 'parent'])
    .orderBy('child')
    .orderBy('parent')
    .execute();

const listSegments = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .select(['id', 'name', 'description', 'project', 'constraints'])
    .execute();
