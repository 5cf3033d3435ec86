import { expressionBuilder, sql } from 'kysely';
import type { Actor } from '../../../platform/actor.ts';
import type { Database, Db, Tx } from '../../../platform/db/database.ts';
import type { Environment, ListedEnvironment } from './contract.ts';

const columns = [
  'name',
  'type',
  'enabled',
  'protected',
  'sort_order as sortOrder',
  'required_approvals as requiredApprovals',
] as const;

/** Without the number of approvals if it is not set. */
const environmentOf = <Row extends { readonly requiredApprovals: number | null }>({
  requiredApprovals,
  ...environment
}: Row) => ({ ...environment, ...(requiredApprovals !== null && { requiredApprovals }) });

/** What the reader may see, and at which time. */
export interface Reader {
  readonly sees: Actor['sees'];
  readonly now: Date;
}

const selectListed = (db: Db, { sees, now }: Reader) =>
  db
    .selectFrom('environments')
    .select(columns)
    .select(({ selectFrom }) =>
      selectFrom('project_environments as used')
        .innerJoin('projects', 'projects.id', 'used.project')
        .whereRef('used.environment', '=', 'environments.name')
        .where('projects.archived_at', 'is', null)
        .$if(sees !== 'all', (query) =>
          query.where(sql<boolean>`projects.id = any(${[...sees]}::text[])`),
        )
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .$castTo<{ count: number }>()
        .$asScalar()
        .$notNull()
        .as('projectCount'),
    )
    .leftJoin(enabledFeatures(sees).as('switched'), 'switched.environment', 'environments.name')
    .select(({ fn, val }) => fn.coalesce('switched.count', val(0)).as('enabledToggleCount'))
    .select(
      sql<number>`(
        select count(*)::int from api_tokens token
        where token.environment = environments.name and token.revoked_at is null
          and (token.expires_at is null or token.expires_at > ${now}::timestamptz)
          ${sees === 'all' ? sql`` : sql`and token.projects && ${['*', ...sees]}::text[]`}
      )`.as('apiTokenCount'),
    )
    .orderBy('sort_order')
    .orderBy('name');

/** Active features of visible projects that are enabled in each environment. */
const enabledFeatures = (sees: Actor['sees']) =>
  expressionBuilder<Database>()
    .selectFrom('features')
    .innerJoin('feature_environments as state', 'state.feature_name', 'features.name')
    .where('features.archived_at', 'is', null)
    .where('state.enabled', '=', true)
    .$if(sees !== 'all', (query) =>
      query.where(sql<boolean>`features.project = any(${[...sees]}::text[])`),
    )
    .select(['state.environment', sql<number>`count(*)::int`.as('count')])
    .groupBy('state.environment');

export async function listEnvironments(db: Db, reader: Reader): Promise<ListedEnvironment[]> {
  return (await selectListed(db, reader).execute()).map(environmentOf);
}

export async function findEnvironment(
  db: Db,
  reader: Reader,
  name: string,
): Promise<ListedEnvironment | undefined> {
  const row = await selectListed(db, reader).where('name', '=', name).executeTakeFirst();
  return row && environmentOf(row);
}

export const isNameTaken = async (db: Db, name: string): Promise<boolean> =>
  (await db
    .selectFrom('environments')
    .where('name', '=', name)
    .select('name')
    .executeTakeFirst()) !== undefined;

export const countEnvironments = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('environments')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
};

const locks = { use: 'forKeyShare', change: 'forNoKeyUpdate', delete: 'forUpdate' } as const;

/**
 * Locks environments until the transaction ends: against deletion (use), against changes too, or even against use
 * (delete). Ordered by name, so that two writers cannot deadlock.
 */
export async function lockEnvironments(
  tx: Tx,
  names: readonly string[],
  purpose: keyof typeof locks,
): Promise<Environment[]> {
  const rows = await tx.db
    .selectFrom('environments')
    .where(sql<boolean>`name = any(${names}::text[])`)
    .select(columns)
    .orderBy('name')
    [locks[purpose]]()
    .execute();
  return rows.map(environmentOf);
}

export async function insertEnvironment(tx: Tx, environment: Environment): Promise<Environment> {
  const row = await tx.db
    .insertInto('environments')
    .values({
      name: environment.name,
      type: environment.type,
      enabled: environment.enabled,
      protected: environment.protected,
      sort_order: environment.sortOrder,
      required_approvals: environment.requiredApprovals ?? null,
      created_at: tx.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return environmentOf(row);
}

export const updateEnvironment = (tx: Tx, environment: Environment) =>
  tx.db
    .updateTable('environments')
    .set({
      type: environment.type,
      enabled: environment.enabled,
      sort_order: environment.sortOrder,
      required_approvals: environment.requiredApprovals ?? null,
    })
    .where('name', '=', environment.name)
    .execute();

export const deleteEnvironment = (tx: Tx, name: string) =>
  tx.db.deleteFrom('environments').where('name', '=', name).execute();

/** Projects with this environment, archived ones too: they can be revived with it. */
export const listProjectsWith = (db: Db, environment: string) =>
  db
    .selectFrom('project_environments as used')
    .innerJoin('projects', 'projects.id', 'used.project')
    .where('used.environment', '=', environment)
    .select(['projects.id', 'projects.archived_at as archivedAt'])
    .orderBy('projects.id')
    .execute();

/** Locks the environments that a project gets by default against deletion. */
export async function lockEnabledEnvironments(tx: Tx): Promise<Environment[]> {
  const rows = await tx.db
    .selectFrom('environments')
    .where('enabled', '=', true)
    .select(columns)
    .orderBy('name')
    .forKeyShare()
    .execute();
  return rows.map(environmentOf);
}
