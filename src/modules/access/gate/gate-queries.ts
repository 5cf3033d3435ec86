import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { LastUse } from './last-seen.ts';

const selectToken = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .select([
      'id',
      'name',
      'type',
      'environment',
      'projects',
      'expires_at as expiresAt',
      'revoked_at as revokedAt',
    ]);

/** The token of an SDK or an administrator, including revoked and expired ones. */
export const findTokenByHash = (db: Db, hash: Buffer) =>
  selectToken(db).where('secret_hash', '=', hash).executeTakeFirst();

export const findTokenById = (db: Db, id: number) =>
  selectToken(db).where('id', '=', id).executeTakeFirst();

export type StoredToken = NonNullable<Awaited<ReturnType<typeof findTokenByHash>>>;

export const listTokensByIds = (db: Db, ids: readonly number[]): Promise<StoredToken[]> =>
  selectToken(db).where(sql<boolean>`id = any(${ids}::integer[])`).execute();

/** Newest first. */
export const listUnrevokedTokens = (db: Db, most: number) =>
  selectToken(db)
    .where('revoked_at', 'is', null)
    .select('secret_hash as hash')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();

export const findPersonalTokenByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('personal_tokens')
    .where('secret_hash', '=', hash)
    .select(['id', 'user_id as userId', 'expires_at as expiresAt'])
    .executeTakeFirst();

/** The properties of a project in the path that the gate needs. */
export interface ProjectState {
  readonly archivedAt: Date | null;
}

export const findProjectState = (db: Db, id: string): Promise<ProjectState | undefined> =>
  db
    .selectFrom('projects')
    .where('id', '=', id)
    .select('archived_at as archivedAt')
    .executeTakeFirst();

/** For paths that contain only the name of the feature. */
export async function findProjectOf(db: Db, feature: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('features')
    .where('name', '=', feature)
    .select('project')
    .executeTakeFirst();
  return found?.project;
}

/** Whether an administrator has switched on maintenance mode. */
export async function isInMaintenance(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('settings')
    .where('id', '=', 'maintenance.mode')
    .select('value')
    .executeTakeFirst();
  return (found?.value as { enabled?: unknown } | undefined)?.enabled === true;
}

/** Whether people can sign in with passwords, and with OpenID Connect. */
export async function findSignInSwitches(
  db: Db,
): Promise<{ readonly password: boolean; readonly oidc: boolean }> {
  const rows = await db
    .selectFrom('settings')
    .where('id', 'in', ['unleash.auth.simple', 'unleash.enterprise.auth.oidc'])
    .select(['id', 'value'])
    .execute();
  const isSet = (id: string, name: string) =>
    rows.some((row) => row.id === id && (row.value as Record<string, unknown>)[name] === true);
  return {
    password: !isSet('unleash.auth.simple', 'disabled'),
    oidc: isSet('unleash.enterprise.auth.oidc', 'enabled'),
  };
}

/** Sorted, so that instances which write at the same time do not deadlock. */
export async function upsertLastSeen(tx: Tx, sightings: readonly LastUse[]): Promise<void> {
  if (sightings.length === 0) return;
  const sorted = [...sightings].sort((a, b) => a.kind.localeCompare(b.kind) || a.id - b.id);
  await tx.db
    .insertInto('last_seen')
    .values(sorted.map(({ kind, id, at }) => ({ kind, id, seen_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet({
        seen_at: sql`greatest(last_seen.seen_at, excluded.seen_at)`,
      }),
    )
    .execute();
}
