import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';

/** The last event. */
export async function readHead(db: Db): Promise<number> {
  const { rows } = await sql<{ head: number }>`
    select coalesce((select max(id) from events), anchor_id) as head from event_log`.execute(db);
  return (rows[0] as { head: number }).head;
}

/**
 * Events after one id, up to another. The upper bound is given although it is the last event: without it PostgreSQL's
 * generic plan expects a third of the log and reads all of it.
 */
interface EventRange {
  readonly after: number;
  readonly upTo: number;
}

/** The features of these events. */
export async function listChangedFeatures(db: Db, { after, upTo }: EventRange): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('feature_name', 'is not', null)
    .select('feature_name as name')
    .distinct()
    .execute();
  return rows.map(({ name }) => name as string);
}

/** Whether one of these events changes tags of several features. */
export async function isAboutTags(db: Db, { after, upTo }: EventRange): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('type', 'in', ['tag-deleted', 'tag-type-deleted'])
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether one of these events is about segments. */
export async function isAboutSegments(db: Db, { after, upTo }: EventRange): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .where('id', '>', after)
    .where('id', '<=', upTo)
    .where('type', 'in', [
      'segment-created',
      'segment-updated',
      'segment-deleted',
      'segment-import',
    ])
    .select('id')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export const listEnvironments = (db: Db) =>
  db
    .selectFrom('environments')
    .select(['name', 'type'])
    .orderBy('sort_order')
    .orderBy('name')
    .execute();

/** Active projects with the names of their environments. */
export async function listProjectEnvironments(db: Db): Promise<Map<string, readonly string[]>> {
  const rows = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .select(({ selectFrom }) => [
      'projects.id',
      sql<string[]>`array(${selectFrom('project_environments as pe')
        .whereRef('pe.project', '=', 'projects.id')
        .select('pe.environment')
        .orderBy('pe.environment')})`.as('environments'),
    ])
    .execute();
  return new Map(rows.map(({ id, environments }) => [id, environments]));
}

export const listSegments = (db: Db) =>
  db.selectFrom('segments').select(['id', 'name', 'constraints']).orderBy('id').execute();

/** Selects active features: by name, by project, or all. */
export type FeatureSelection =
  | { readonly names: readonly string[] }
  | { readonly projects: readonly string[] }
  | 'all';

const chosen = (choice: FeatureSelection) => {
  if (choice === 'all') return sql<boolean>`true`;
  return 'names' in choice
    ? sql<boolean>`features.name = any(${choice.names}::text[])`
    : sql<boolean>`features.project = any(${choice.projects}::text[])`;
};

const active = (db: Db, choice: FeatureSelection) =>
  db.selectFrom('features').where('features.archived_at', 'is', null).where(chosen(choice));

export const listFeatures = (db: Db, choice: FeatureSelection) =>
  active(db, choice)
    .select([
      'name',
      'project',
      'type',
      'description',
      'stale',
      'impression_data as impressionData',
    ])
    .execute();

export const listStates = (db: Db, choice: FeatureSelection) =>
  active(db, choice)
    .innerJoin('feature_environments as state', 'state.feature_name', 'features.name')
    .select(['features.name', 'state.environment', 'state.enabled', 'state.variants'])
    .execute();

export const listStrategies = (db: Db, choice: FeatureSelection) =>
  active(db, choice)
    .innerJoin('feature_strategies as strategy', 'strategy.feature_name', 'features.name')
    .select([
      'features.name as feature',
      'strategy.environment',
      'strategy.id',
      'strategy.name',
      'strategy.title',
      'strategy.disabled',
      'strategy.sort_order as sortOrder',
      'strategy.parameters',
      'strategy.constraints',
      'strategy.variants',
    ])
    .select(({ selectFrom }) =>
      sql<number[]>`array(${selectFrom('feature_strategy_segments')
        .whereRef('strategy_id', '=', 'strategy.id')
        .select('segment_id')
        .orderBy('segment_id')})`.as('segments'),
    )
    .orderBy('strategy.sort_order')
    .orderBy('strategy.created_at')
    .orderBy('strategy.id')
    .execute();

export const listDependencies = (db: Db, choice: FeatureSelection) =>
  active(db, choice)
    .innerJoin('feature_dependencies as dependency', 'dependency.child', 'features.name')
    .select(['dependency.child', 'dependency.parent', 'dependency.enabled', 'dependency.variants'])
    .orderBy('dependency.parent')
    .execute();

export const listTags = (db: Db, choice: FeatureSelection) =>
  active(db, choice)
    .innerJoin('feature_tags as tag', 'tag.feature_name', 'features.name')
    .select(['features.name', sql<string>`tag.type || ':' || tag.value`.as('tag')])
    .orderBy('tag')
    .execute();
