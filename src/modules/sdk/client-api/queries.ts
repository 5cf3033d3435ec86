import { sql } from 'kysely';
import type { Db } from '../../../platform/db/database.ts';

const valid = (db: Db, now: Date) =>
  db
    .selectFrom('api_tokens')
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));

/** Returns those of these tokens that are neither revoked nor expired. */
export const listValidTokens = (db: Db, ids: readonly number[], now: Date) =>
  valid(db, now)
    .where(sql<boolean>`id = any(${ids}::integer[])`)
    .select(['id', 'environment', 'projects', 'expires_at as expiresAt'])
    .execute();

/** Finds them by the hashes of their secrets. */
export const listValidByHash = (db: Db, hashes: readonly Buffer[], now: Date) =>
  valid(db, now)
    .where(sql<boolean>`secret_hash = any(${hashes}::bytea[])`)
    .select(['secret_hash as hash', 'type', 'environment', 'projects'])
    .execute();
