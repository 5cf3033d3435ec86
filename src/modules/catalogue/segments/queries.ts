import { sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { erasedName } from '../../events/index.ts';
import type { Constraint } from '../context-fields/index.ts';
import type { Segment, SegmentStrategy, UsedSegment } from './contract.ts';

const columns = [
  'segments.id',
  'segments.name',
  'segments.description',
  'segments.project',
  'segments.constraints',
  'segments.created_by as createdBy',
  'segments.created_at as createdAt',
] as const;

interface Row {
  readonly project: string | null;
  readonly constraints: Constraint[];
  readonly createdAt: Date;
}

const segmentOf = <R extends Row>({ project, createdAt, ...row }: R) => ({
  ...row,
  ...(project !== null && { project }),
  createdAt: createdAt.toISOString(),
});

const within = (sees: Actor['sees'], project: string) =>
  sees === 'all'
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(project)} = any(${[...sees]}::text[])`;

/** All uses of a segment: strategies of features, and default strategies of projects. */
const usages = sql<{
  segment: number;
  project: string;
  feature: string | null;
  environment: string;
  archived: boolean;
}>`(
  select used.segment_id as segment, features.project, features.name as feature,
    strategy.environment, features.archived_at is not null as archived
  from feature_strategy_segments used
  join feature_strategies strategy on strategy.id = used.strategy_id
  join features on features.name = strategy.feature_name
  union all
  select used.id::int, pe.project, null, pe.environment, projects.archived_at is not null
  from project_environments pe
  join projects on projects.id = pe.project
  cross join json_array_elements_text(pe.default_strategy->'segments') as used(id)
)`;

const used = [
  sql<number>`coalesce(usage.features, 0)`.as('usedInFeatures'),
  sql<number>`coalesce(usage.projects, 0)`.as('usedInProjects'),
];

const selectUsed = (db: Db, sees: Actor['sees']) =>
  db
    .selectFrom('segments')
    .leftJoin(
      db
        .selectFrom(usages.as('used'))
        .where(within(sees, 'used.project'))
        .select([
          'used.segment',
          sql<number>`count(distinct used.feature)::int`.as('features'),
          sql<number>`count(distinct used.project)::int`.as('projects'),
        ])
        .groupBy('used.segment')
        .as('usage'),
      'usage.segment',
      'segments.id',
    )
    .where(({ or, eb }) =>
      or([eb('segments.project', 'is', null), within(sees, 'segments.project')]),
    )
    .select(columns)
    .select(used)
    .orderBy('segments.name');

/** Lists the first segments after a name, with their constraints as JSON, because they are sent as they are. */
export const listSegments = (
  db: Db,
  sees: Actor['sees'],
  { after, limit }: { readonly after: string; readonly limit: number },
) =>
  selectUsed(db, sees)
    .where('segments.name', '>', after)
    .clearSelect()
    .select(columns.filter((column) => column !== 'segments.constraints'))
    .select(used)
    .select(sql<string>`segments.constraints::text`.as('constraints'))
    .limit(limit)
    .execute();

/** Those of these segments that strategies of a project cannot have: they are gone, or belong to another project. */
export async function listForeignSegments(
  db: Db,
  ids: readonly number[],
  project: string,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const own = await db
    .selectFrom('segments')
    .where('id', 'in', [...ids])
    .where(({ eb }) => eb.or([eb('project', 'is', null), eb('project', '=', project)]))
    .select('id')
    .execute();
  const available = new Set(own.map(({ id }) => id));
  return ids.filter((id) => !available.has(id));
}

export const listSegmentNames = (db: Db, ids: readonly number[]) =>
  db
    .selectFrom('segments')
    .where('id', 'in', [...ids])
    .select(['id', 'name'])
    .execute();

export async function findSegment(
  db: Db,
  sees: Actor['sees'],
  id: number,
): Promise<UsedSegment | undefined> {
  const row = await selectUsed(db, sees).where('segments.id', '=', id).executeTakeFirst();
  return row && segmentOf(row);
}

export async function listSegmentsOfStrategy(
  db: Db,
  sees: Actor['sees'],
  strategyId: string,
): Promise<UsedSegment[]> {
  const rows = await selectUsed(db, sees)
    .innerJoin('feature_strategy_segments as link', 'link.segment_id', 'segments.id')
    .where('link.strategy_id', '=', strategyId)
    .execute();
  return rows.map(segmentOf);
}

/** The project of a strategy. */
export const findProjectOfStrategy = (db: Db, strategyId: string) =>
  db
    .selectFrom('feature_strategies')
    .innerJoin('features', 'features.name', 'feature_strategies.feature_name')
    .where('feature_strategies.id', '=', strategyId)
    .select('features.project')
    .executeTakeFirst();

export const listStrategiesWith = (
  db: Db,
  sees: Actor['sees'],
  segment: number,
): Promise<SegmentStrategy[]> =>
  db
    .selectFrom('feature_strategy_segments as used')
    .innerJoin('feature_strategies as strategy', 'strategy.id', 'used.strategy_id')
    .innerJoin('features', 'features.name', 'strategy.feature_name')
    .where('used.segment_id', '=', segment)
    .where(within(sees, 'features.project'))
    .select([
      'strategy.id',
      'features.project as projectId',
      'features.name as featureName',
      'strategy.environment',
      'strategy.name as strategyName',
    ])
    .orderBy('features.project')
    .orderBy('features.name')
    .orderBy('strategy.environment')
    .orderBy('strategy.id')
    .execute();

export const isNameTaken = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('segments').where('name', '=', name).select('id').executeTakeFirst()) !==
  undefined;

export const countSegments = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('segments')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** Where a segment is used, without duplicates, features first. */
export const listUsages = (db: Db, segment: number) =>
  db
    .selectFrom(usages.as('used'))
    .where('used.segment', '=', segment)
    .select(['used.project', 'used.feature', 'used.environment', 'used.archived'])
    .distinct()
    .orderBy('used.feature', (order) => order.asc().nullsLast())
    .orderBy('used.project')
    .orderBy('used.environment')
    .execute();

export async function listUsingProjects(db: Db, segment: number): Promise<string[]> {
  const rows = await db
    .selectFrom(usages.as('used'))
    .where('used.segment', '=', segment)
    .select('used.project')
    .distinct()
    .orderBy('used.project')
    .execute();
  return rows.map(({ project }) => project);
}

export type Usage = Awaited<ReturnType<typeof listUsages>>[number];

/** Locks it against archiving and deletion. */
export const lockActiveProject = (tx: Tx, project: string) =>
  tx.db
    .selectFrom('projects')
    .where('id', '=', project)
    .where('archived_at', 'is', null)
    .select('id')
    .forShare()
    .executeTakeFirst();

/** Locks segments against deletion and against a move to another project. */
export const lockForUse = (tx: Tx, ids: readonly number[]) =>
  tx.db
    .selectFrom('segments')
    .where(sql<boolean>`id = any(${ids}::int[])`)
    .select(['id', 'name', 'project'])
    .orderBy('id')
    .forKeyShare()
    .execute();

export type StoredSegment = Segment & { readonly createdByUserId: number };

/**
 * No one can start to use the segment until the transaction ends. Read its uses in a later statement: only that sees
 * those of transactions this lock waited for. A change takes `forUpdate` too, because users rely on the segment's
 * project.
 */
export async function lockSegment(
  tx: Tx,
  id: number,
): Promise<(StoredSegment & { readonly frozen: boolean }) | undefined> {
  const row = await tx.db
    .selectFrom('segments')
    .leftJoin('projects', 'projects.id', 'segments.project')
    .where('segments.id', '=', id)
    .select(columns)
    .select([
      'segments.created_by_user_id as createdByUserId',
      sql<boolean>`projects.archived_at is not null`.as('frozen'),
    ])
    .forUpdate('segments')
    .executeTakeFirst();
  return row && segmentOf(row);
}

export async function lockSegmentsOf(tx: Tx, project: string): Promise<StoredSegment[]> {
  const rows = await tx.db
    .selectFrom('segments')
    .where('project', '=', project)
    .select(columns)
    .select('created_by_user_id as createdByUserId')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(segmentOf);
}

export type SegmentDraft = Pick<Segment, 'name' | 'description' | 'project' | 'constraints'>;

const changeable = (segment: SegmentDraft) => ({
  name: segment.name,
  description: segment.description,
  project: segment.project ?? null,
  constraints: JSON.stringify(segment.constraints),
});

/** By which a segment that comes back is known. */
export interface SegmentIdentity {
  readonly id: number;
  readonly createdAt: string;
}

const insertAgain = (tx: Tx, draft: SegmentDraft, { id, createdAt }: SegmentIdentity) => {
  const { name, description, project, constraints } = changeable(draft);
  return tx.db
    .insertInto('segments')
    .columns([
      ...(['id', 'name', 'description', 'project', 'constraints'] as const),
      ...(['created_by', 'created_by_user_id', 'created_at'] as const),
    ])
    .expression(
      // The database generates IDs otherwise.
      sql`overriding system value values (${id}::integer, ${name}::text, ${description}::text,
        ${project}::text, ${constraints}::json, ${tx.actor.name}::text, ${tx.actor.id}::integer,
        ${createdAt}::timestamptz)`,
    )
    .execute();
};

export async function insertSegment(
  tx: Tx,
  draft: SegmentDraft,
  identity?: SegmentIdentity,
): Promise<StoredSegment> {
  if (identity) {
    await insertAgain(tx, draft, identity);
    const { frozen: _, ...segment } = (await lockSegment(tx, identity.id)) as StoredSegment & {
      readonly frozen: boolean;
    };
    return segment;
  }
  const row = await tx.db
    .insertInto('segments')
    .values({
      ...changeable(draft),
      created_by: tx.actor.name,
      created_by_user_id: tx.actor.id,
      created_at: tx.now,
    })
    .returning(columns)
    .returning('created_by_user_id as createdByUserId')
    .executeTakeFirstOrThrow();
  return segmentOf(row);
}

export const updateSegment = (tx: Tx, { id, ...segment }: SegmentDraft & { id: number }) =>
  tx.db.updateTable('segments').set(changeable(segment)).where('id', '=', id).execute();

export const deleteSegments = (tx: Tx, ids: readonly number[]) =>
  tx.db.deleteFrom('segments').where(sql<boolean>`id = any(${ids}::int[])`).execute();

/** Removes the name of a creator. The id stays, but belongs to no one. */
export const updateForgottenCreator = (tx: Tx, userId: number) =>
  tx.db
    .updateTable('segments')
    .set({ created_by: erasedName })
    .where('created_by_user_id', '=', userId)
    .execute();
