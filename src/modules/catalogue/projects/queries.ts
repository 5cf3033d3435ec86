import { type Selectable, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import type { ListedProject, Project } from './contract.ts';
import { isFavoriteOf } from './favorites/queries.ts';
import { countedFeatures, healthOf } from './feature-counts.ts';
import { countedMembers, listedOwners, nobody } from './owner-queries.ts';

/** Access to a project is part of it too, although other code writes it. */
const updatedAt = sql<Date>`greatest(projects.updated_at, (
  select changed_at from project_access_changes changes where changes.project = projects.id
))`;

/** By name: a prepared `select *` fails for good once a later version adds a column. */
const columns = [
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

const projectOf = (row: Row): Project => ({
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

/** For answers that leave out what nobody gave. */
export function withGivenDescription({ description, ...project }: Project) {
  return { ...project, ...(description !== null && { description }) };
}

/** A project before the database has it. */
export type ProjectDraft = Omit<Project, 'createdAt' | 'updatedAt' | 'archivedAt'>;

/** The columns that somebody may change. */
const changeable = (project: ProjectDraft) => ({
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

interface Listing {
  readonly sees: Actor['sees'];
  readonly archived: boolean;
}

const selectProjects = (db: Db, { sees, archived }: Listing) =>
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

/** The newest event since the project exists: an earlier project may have had the same id. */
const lastUpdatedAt = sql<Date | null>`(
  select events.created_at from events
  where events.project = projects.id and events.id >= projects.first_event_id
  order by events.id desc limit 1
)`;

/** With what can be counted of them, as of an instant, whom they belong to, and whether somebody favours them. */
export async function listCountedProjects(
  db: Db,
  {
    now,
    userId,
    baseUrl,
    ...listing
  }: Listing & { readonly now: Date; readonly userId: number; readonly baseUrl: string },
): Promise<ListedProject[]> {
  const rows = await selectProjects(db, listing)
    .leftJoin(countedFeatures(now).as('counted'), 'counted.project', 'projects.id')
    .leftJoin(countedMembers.as('members'), 'members.project', 'projects.id')
    .leftJoin(listedOwners(baseUrl).as('owners'), 'owners.project', 'projects.id')
    .select(({ fn, val }) => [
      fn.coalesce('counted.features', val(0)).as('featureCount'),
      fn.coalesce('counted.stale', val(0)).as('staleFeatureCount'),
      fn.coalesce('counted.potentiallyStale', val(0)).as('potentiallyStaleFeatureCount'),
      isFavoriteOf(userId).as('favorite'),
      lastUpdatedAt.as('lastUpdatedAt'),
      fn.coalesce('members.count', val(0)).as('memberCount'),
      'owners.list as owners',
    ])
    .execute();
  return rows.map((row) => ({
    ...withGivenDescription(projectOf(row)),
    health: healthOf(row.featureCount, row.staleFeatureCount + row.potentiallyStaleFeatureCount),
    featureCount: row.featureCount,
    staleFeatureCount: row.staleFeatureCount,
    potentiallyStaleFeatureCount: row.potentiallyStaleFeatureCount,
    favorite: row.favorite,
    lastUpdatedAt: row.lastUpdatedAt?.toISOString() ?? null,
    memberCount: row.memberCount,
    owners: row.owners ?? nobody,
  }));
}

export async function findProject(db: Db, id: string): Promise<Project | undefined> {
  const row = await db
    .selectFrom('projects')
    .where('id', '=', id)
    .select(columns)
    .executeTakeFirst();
  return row && projectOf(row);
}

/** With its people, how it fares at an instant, and whether somebody favours it. */
export async function findProjectOf(
  db: Db,
  {
    id,
    userId,
    baseUrl,
    now,
  }: {
    readonly id: string;
    readonly userId: number;
    readonly baseUrl: string;
    readonly now: Date;
  },
) {
  const row = await db
    .selectFrom('projects')
    .leftJoin(countedFeatures(now, id).as('counted'), 'counted.project', 'projects.id')
    .leftJoin(countedMembers.as('people'), 'people.project', 'projects.id')
    .leftJoin(listedOwners(baseUrl).as('owners'), 'owners.project', 'projects.id')
    .where('projects.id', '=', id)
    .select(columns)
    .select(({ fn, val }) => [
      isFavoriteOf(userId).as('favorite'),
      fn.coalesce('counted.features', val(0)).as('features'),
      sql<number>`coalesce(counted.stale + counted."potentiallyStale", 0)`.as('staleOrDue'),
      fn.coalesce('people.count', val(0)).as('members'),
      'owners.list as owners',
    ])
    .executeTakeFirst();
  if (!row) return undefined;
  const { favorite, members, owners } = row;
  const health = healthOf(row.features, row.staleOrDue);
  return {
    ...projectOf(row),
    ...{ favorite, health, technicalDebt: 100 - health, members, owners: owners ?? nobody },
  };
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
export async function lockLivingProjects(tx: Tx, ids: readonly string[]): Promise<Project[]> {
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

/** Living ones. */
export const countProjects = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('projects')
    .where('archived_at', 'is', null)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

/** The ids, archived projects' included, that begin like this. */
export async function listProjectIds(db: Db, beginning: string): Promise<string[]> {
  const rows = await db
    .selectFrom('projects')
    .where(sql<boolean>`starts_with(id, ${beginning})`)
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Nothing is inserted, and nothing returned, when the id is taken. */
export async function insertProject(tx: Tx, project: ProjectDraft): Promise<Project | undefined> {
  const row = await tx.db
    .insertInto('projects')
    .values({
      id: project.id,
      ...changeable(project),
      created_at: tx.now,
      updated_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row && projectOf(row);
}

export const updateProject = (tx: Tx, project: Project) =>
  tx.db
    .updateTable('projects')
    .set({ ...changeable(project), updated_at: tx.now })
    .where('id', '=', project.id)
    .execute();

/** For what changes a project without being a column of it. */
export const touchProjects = (tx: Tx, ids: readonly string[]) =>
  tx.db
    .updateTable('projects')
    .set({ updated_at: tx.now })
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .execute();

export const updateProjectArchived = (tx: Tx, id: string, archived: boolean) =>
  tx.db
    .updateTable('projects')
    .set({ archived_at: archived ? tx.now : null, updated_at: tx.now })
    .where('id', '=', id)
    .where('archived_at', archived ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();

/** Tells where the log of the project begins. */
export const updateFirstEvent = (tx: Tx, id: string, firstEventId: number) =>
  tx.db
    .updateTable('projects')
    .set({ first_event_id: firstEventId })
    .where('id', '=', id)
    .execute();

export const deleteProject = (tx: Tx, id: string) =>
  tx.db.deleteFrom('projects').where('id', '=', id).execute();
