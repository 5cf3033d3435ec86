import type { Db, Tx } from '../../platform/db/database.ts';

const columns = [
  'id',
  'name',
  'type',
  'environment',
  'projects',
  'origin',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
] as const;

export const findTokenByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_tokens')
    .where('secret_hash', '=', hash)
    .select([...columns, 'secret_hash as secretHash'])
    .executeTakeFirst();

export const findTokenByName = (db: Db, name: string) =>
  db.selectFrom('api_tokens').where('name', '=', name).select(columns).executeTakeFirst();

export const listTokens = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .select([...columns, 'secret_hash as secretHash'])
    .orderBy('id')
    .execute();

export interface NewToken {
  readonly name: string;
  readonly type: 'admin' | 'client' | 'frontend';
  readonly environment: string | null;
  readonly projects: string[];
  readonly secretHash: Buffer;
  readonly origin: 'first start' | 'environment' | 'command line' | 'api';
  readonly expiresAt: Date | null;
}

export const insertToken = (tx: Tx, token: NewToken) =>
  tx.db
    .insertInto('api_tokens')
    .values({
      name: token.name,
      type: token.type,
      environment: token.environment,
      projects: token.projects,
      secret_hash: token.secretHash,
      origin: token.origin,
      created_at: tx.now,
      expires_at: token.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

export const updateTokenRevoked = (tx: Tx, id: number) =>
  tx.db
    .updateTable('api_tokens')
    .set({ revoked_at: tx.now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning(columns)
    .executeTakeFirst();
