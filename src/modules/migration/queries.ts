import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ThingKind } from './tables.ts';

export interface StoredImport {
  readonly history: 'wanted' | 'left out';
  readonly historyUntil: number;
  readonly cutOverAt: Date | null;
}

export const findImport = (db: Db, source: string): Promise<StoredImport | undefined> =>
  db
    .selectFrom('imports')
    .where('source', '=', source)
    .select(['history', 'history_until as historyUntil', 'cut_over_at as cutOverAt'])
    .executeTakeFirst();

export const insertImport = (tx: Tx, source: string, history: 'wanted' | 'left out') =>
  tx.db
    .insertInto('imports')
    .values({ source, history, history_until: 0, began_at: tx.now, cut_over_at: null })
    .execute();

/** Notes how far the history has come. False: another run has brought some of it meanwhile. */
export async function updateHistory(
  tx: Tx,
  source: string,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx.db
    .updateTable('imports')
    .set({ history_until: until })
    .where('source', '=', source)
    .where('history_until', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

export const updateCutOver = (tx: Tx, source: string) =>
  tx.db.updateTable('imports').set({ cut_over_at: tx.now }).where('source', '=', source).execute();

export async function listThings(
  db: Db,
  source: string,
  kind: ThingKind,
): Promise<Map<number, number>> {
  const things = await db
    .selectFrom('import_things')
    .where('source', '=', source)
    .where('kind', '=', kind)
    .select(['their_id', 'our_id'])
    .execute();
  return new Map(things.map(({ their_id, our_id }) => [Number(their_id), our_id]));
}

export const insertThing = (
  tx: Tx,
  source: string,
  kind: ThingKind,
  theirId: number,
  ourId: number,
) =>
  tx.db
    .insertInto('import_things')
    .values({ source, kind, their_id: theirId, our_id: ourId })
    .onConflict((conflict) =>
      conflict.columns(['source', 'kind', 'their_id']).doUpdateSet({ our_id: ourId }),
    )
    .execute();

/** The account with this login, which may belong to someone who was here before the import. */
export async function findAccountId(db: Db, login: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from users
    where deleted_at is null and (lower(email) = ${login} or lower(username) = ${login})
    order by id limit 1`.execute(db);
  return rows[0]?.id;
}

/** The ids of accounts. One that has been left out is no one. */
export async function listAccountIds(db: Db, logins: readonly string[]): Promise<number[]> {
  const ids: number[] = [];
  for (const login of logins) {
    const id = await findAccountId(db, login);
    if (id !== undefined) ids.push(id);
  }
  return ids;
}

/** The id that the next account would get. No other account gets it afterwards. */
export async function reserveAccountId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('users', 'id'))::integer as id`.execute(tx.db);
  return rows[0]?.id as number;
}

/** What earlier imports from this source have made, as their events say. */
export async function listImported(
  db: Db,
  source: string,
  types: readonly string[],
): Promise<{ type: string; name: string }[]> {
  const { rows } = await sql<{ type: string; name: string }>`
    select distinct type, data ->> 'importedAs' as name from events
    where type = any(${types}::text[]) and data ->> 'importedFrom' = ${source}
      and data ->> 'importedAs' is not null
    order by type, name`.execute(db);
  return rows;
}

/** Active features that imports from this source have made. */
export async function listImportedFeatures(db: Db, source: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct features.name from events
    join features on features.name = data ->> 'importedAs' and features.archived_at is null
    where events.type = 'feature-import' and data ->> 'importedFrom' = ${source}
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

interface OtherFavorite {
  readonly of: 'feature' | 'project';
  readonly name: string;
  readonly user: number;
  readonly isFavorite: boolean;
}

/** What is or is no longer a favorite of whom, by the last event about it, if that was imported and it differs here. */
export async function listOtherFavorites(db: Db, source: string): Promise<OtherFavorite[]> {
  const { rows } = await sql<OtherFavorite>`
    select last."of", last.name, last."user", last."isFavorite" from (
      select distinct on (2, 1, 3)
        split_part(type, '-', 1) as "of",
        case when type like 'feature-%' then feature_name else project end as name,
        created_by_user_id as "user", type like '%-favorited' as "isFavorite",
        data ->> 'importedFrom' as source
      from events
      where type in (
        'feature-favorited', 'feature-unfavorited', 'project-favorited', 'project-unfavorited')
      order by 2, 1, 3, id desc) last
    join users on users.id = last."user" and users.deleted_at is null
    left join features on last."of" = 'feature' and features.name = last.name
      and features.archived_at is null
    left join projects on last."of" = 'project' and projects.id = last.name
    where last.source = ${source} and coalesce(features.name, projects.id) is not null
      and last."isFavorite" <> case when last."of" = 'feature'
        then exists (select from feature_favorites favorite
          where favorite.feature_name = last.name and favorite.user_id = last."user")
        else exists (select from project_favorites favorite
          where favorite.project = last.name and favorite.user_id = last."user") end
    order by 1, 2, 3`.execute(db);
  return rows;
}

/** Whether someone has changed something here: an event that is neither of the first start nor of an import. */
export async function hasOwnChanges(
  db: Db,
  systemId: number,
  since: Date = new Date(0),
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from events where created_by_user_id is distinct from ${systemId}
        and created_at >= ${since}
        and (data is null or data::jsonb -> 'importedFrom' is null)) as found`.execute(db);
  return rows[0]?.found ?? false;
}

export const listSegmentIds = async (db: Db): Promise<Map<string, number>> => {
  const segments = await db.selectFrom('segments').select(['id', 'name']).execute();
  return new Map(segments.map(({ id, name }) => [name, id]));
};

export const listRoleIds = async (db: Db): Promise<Map<string, number>> => {
  const roles = await db.selectFrom('roles').select(['id', 'name']).execute();
  return new Map(roles.map(({ id, name }) => [name, id]));
};

export const listGroupIds = async (db: Db): Promise<Map<string, number>> => {
  const groups = await db.selectFrom('groups').select(['id', 'name']).execute();
  return new Map(groups.map(({ id, name }) => [name, id]));
};

export async function hasTokenWith(db: Db, secretHash: Buffer): Promise<boolean> {
  const found = await db
    .selectFrom('api_tokens')
    .where('secret_hash', '=', secretHash)
    .select('id')
    .executeTakeFirst();
  return found !== undefined;
}

export async function listProjectEnvironments(db: Db, project: string): Promise<string[]> {
  const memberships = await db
    .selectFrom('project_environments')
    .where('project', '=', project)
    .select('environment')
    .execute();
  return memberships.map(({ environment }) => environment);
}

/** A feature of a project that has something in an environment. */
export async function findFeatureIn(
  db: Db,
  project: string,
  environment: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from features where project = ${project} and (
      exists (select from feature_strategies strategy
        where strategy.feature_name = name and strategy.environment = ${environment})
      or exists (select from feature_environments state
        where state.feature_name = name and state.environment = ${environment}
          and (state.enabled or state.variants::text <> '[]')))
    order by name limit 1`.execute(db);
  return rows[0]?.name;
}

/** Features that were created here since an import made one of this name, if one did. */
export async function listCreatedHere(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; isOwn: boolean }>`
    select distinct on (feature_name) feature_name as name, data ->> 'importedAs' is null as "isOwn"
    from events
    where (type = 'feature-created' and data ->> 'importedFrom' is null)
      or (type = 'feature-import' and data ->> 'importedAs' is not null)
    order by feature_name, id desc`.execute(db);
  return rows.filter(({ isOwn }) => isOwn).map(({ name }) => name);
}

/** The ids there of the events that were brought last. */
export async function listLastImportedIds(
  db: Db,
  source: string,
  count: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select (data ->> 'importedId')::integer as id from events
    where data ->> 'importedFrom' = ${source} and data ->> 'importedId' is not null
    order by events.id desc limit ${count}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Tokens that can be used and may have been imported, by the hash of their secret. */
export const listActiveTokens = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .where('revoked_at', 'is', null)
    .where('origin', '=', 'command line')
    .select(['name', 'secret_hash as hash'])
    .orderBy('id')
    .execute();

/** Active features of projects that do not have an environment. */
export async function listFeaturesOutside(db: Db, environment: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from features where archived_at is null and not exists (
      select from project_environments pe
      where pe.project = features.project and pe.environment = ${environment})
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}
