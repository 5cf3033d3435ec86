import { type Selectable, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import type { Project } from './project-schema.ts';

/** Access to a project is part of it too, although other code writes it. */
const updatedAt = sql<Date>`greatest(projects.updated_at, (
  select changed_at from project_access_changes changes where changes.project = projects.id
))`;

/** By name: a prepared `select *` fails for good once a later version adds a column. */
export const columns = [
  'id',
  'name',
  'description',
  'mode',
  'default_stickiness',
  'feature_limit',
  'feature_naming_pattern',
  'feature_naming_example',
  'feature_naming_description',
  'link_templates',
  'auto_stale',
  'asks_before_production',
  'max_stale',
  'min_health',
  'created_at',
  updatedAt.as('updated_at'),
  'archived_at',
] as const;

type Row = Omit<Selectable<Database['projects']>, 'first_event_id'>;

export const projectOf = (row: Row): Project => ({
  id: row.id,
  name: row.name,
  description: row.description,
  mode: row.mode,
  defaultStickiness: row.default_stickiness,
  featureLimit: row.feature_limit,
  ...(row.feature_naming_pattern !== null && {
    featureNaming: {
      pattern: row.feature_naming_pattern,
      ...(row.feature_naming_example !== null && { example: row.feature_naming_example }),
      ...(row.feature_naming_description !== null && {
        description: row.feature_naming_description,
      }),
    },
  }),
  linkTemplates: row.link_templates,
  autoStale: row.auto_stale,
  asksBeforeProduction: row.asks_before_production,
  budget: { maxStale: row.max_stale, minHealth: row.min_health },
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  ...(row.archived_at && { archivedAt: row.archived_at.toISOString() }),
});

/** For answers that leave out what no one gave. */
export function withGivenDescription({ description, ...project }: Project) {
  return { ...project, ...(description !== null && { description }) };
}

/** A project before the database has it. */
export type ProjectDraft = Omit<Project, 'createdAt' | 'updatedAt' | 'archivedAt'>;

/** The columns that someone may change. */
export const changeableColumns = (project: ProjectDraft) => ({
  name: project.name,
  description: project.description,
  mode: project.mode,
  default_stickiness: project.defaultStickiness,
  feature_limit: project.featureLimit,
  feature_naming_pattern: project.featureNaming?.pattern ?? null,
  feature_naming_example: project.featureNaming?.example ?? null,
  feature_naming_description: project.featureNaming?.description ?? null,
  link_templates: JSON.stringify(project.linkTemplates),
  auto_stale: project.autoStale,
  asks_before_production: project.asksBeforeProduction,
  max_stale: project.budget.maxStale,
  min_health: project.budget.minHealth,
});

export interface Listing {
  readonly sees: Actor['sees'];
  readonly archived: boolean;
}

export const selectProjects = (db: Db, { sees, archived }: Listing) =>
  db
    .selectFrom('projects')
    .select(columns)
    .where('archived_at', archived ? 'is not' : 'is', null)
    .$if(sees !== 'all', (query) => query.where(sql<boolean>`id = any(${[...sees]}::text[])`))
    .orderBy('name')
    .orderBy('id');

export async function listProjects(db: Db, listing: Listing): Promise<Project[]> {
  return (await selectProjects(db, listing).execute()).map(projectOf);
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const row = await db
    .selectFrom('projects')
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();
  return row && projectOf(row);
}

const locks = { hold: 'forKeyShare', change: 'forNoKeyUpdate', close: 'forUpdate' } as const;

/**
 * Locks a project, so that concurrent changes to it or its contents wait. A lock for closing also keeps others from
 * creating features until the transaction ends, because creating one locks the project's key.
 */
export async function lockProject(
  tx: Tx,
  id: string,
  purpose: keyof typeof locks,
): Promise<Project | undefined> {
  const row = await tx.db
    .selectFrom('projects')
    .where('id', '=', id)
    .select(columns)
    [locks[purpose]]()
    .executeTakeFirst();
  return row && projectOf(row);
}

/** Several, in the order of their ids, so that two writers cannot wait for each other. */
export async function lockActiveProjects(tx: Tx, ids: readonly string[]): Promise<Project[]> {
  const rows = await tx.db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('archived_at', 'is', null)
    .select(columns)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(projectOf);
}

/** Active ones. */
export const countProjects = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** For what changes a project without being a column of it. */
export const touchProjects = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('projects')
    .set({ updated_at: tx.now })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();
