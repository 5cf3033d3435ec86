import { sql } from 'kysely';
import { maxInteger } from '../../../platform/contract/schema.ts';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { hashSecret } from '../../../platform/secret.ts';
import type { TokenType } from './contract.ts';
import type { SealedToken } from './sealing.ts';

const columns = [
  'api_tokens.id',
  'name',
  'type',
  'environment',
  'projects',
  'origin',
  'alias',
  'created_at as createdAt',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
] as const;

const sealedColumns = ['secret_hash as secretHash', 'sealed_secret as sealedSecret'] as const;

export interface Token {
  readonly id: number;
  readonly name: string;
  readonly type: TokenType;
  /** Null for an admin token, which applies to all environments. */
  readonly environment: string | null;
  readonly projects: string[];
  readonly origin: 'first start' | 'environment' | 'command line' | 'api';
  readonly alias: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
}

export const findTokenByHash = (db: Db, hash: Buffer) =>
  db
    .selectFrom('api_tokens')
    .where('secret_hash', '=', hash)
    .select([...columns, 'sealed_secret as sealedSecret'])
    .executeTakeFirst();

/** Includes revoked tokens. */
export const listTokens = (db: Db) =>
  db
    .selectFrom('api_tokens')
    .select([...columns, 'secret_hash as secretHash'])
    .orderBy('id')
    .execute();

/** Tokens that are not revoked, with their last use. */
export const listActiveTokens = (
  db: Db,
  { name, project }: { readonly name?: string; readonly project?: string } = {},
): Promise<ListedToken[]> =>
  db
    .selectFrom('api_tokens')
    .leftJoin('last_seen', (join) =>
      join.onRef('last_seen.id', '=', 'api_tokens.id').on('last_seen.kind', '=', 'api token'),
    )
    .where('revoked_at', 'is', null)
    .$if(name !== undefined, (query) => query.where('name', '=', name as string))
    .$if(project !== undefined, (query) => query.where(sql<boolean>`${project} = any(projects)`))
    .select([...columns, ...sealedColumns, 'last_seen.seen_at as seenAt'])
    .orderBy('api_tokens.id')
    .execute();

export type ListedToken = Token & SealedToken & { readonly seenAt: Date | null };

const selectActive = (tx: Tx) =>
  tx.db
    .selectFrom('api_tokens')
    .where('revoked_at', 'is', null)
    .select(columns)
    .orderBy('id')
    .forNoKeyUpdate();

export const lockTokenById = (tx: Tx, id: number): Promise<Token | undefined> =>
  selectActive(tx).where('id', '=', id).executeTakeFirst();

/** Locks the token with this secret or id, unless it is revoked. */
export async function lockToken(tx: Tx, secretOrId: string): Promise<Token | undefined> {
  const bySecret = await selectActive(tx)
    .where('secret_hash', '=', hashSecret(secretOrId))
    .executeTakeFirst();
  const id = /^\d{1,10}$/.test(secretOrId) ? Number(secretOrId) : Number.NaN;
  return bySecret || !(id <= maxInteger) ? bySecret : lockTokenById(tx, id);
}

export const lockTokensNamed = (tx: Tx, name: string): Promise<Token[]> =>
  selectActive(tx).where('name', '=', name).execute();

/** In the order of ids, so that concurrent transactions do not deadlock. */
export const lockTokensOf = (
  tx: Tx,
  part: { readonly project: string } | { readonly environment: string },
): Promise<Token[]> =>
  'project' in part
    ? selectActive(tx).where(sql<boolean>`${part.project} = any(projects)`).execute()
    : selectActive(tx).where('environment', '=', part.environment).execute();

const countLock = 4_242_004;

/** Counts the tokens that are not revoked. The lock keeps other transactions that count from adding one. */
export async function countTokens(tx: Tx): Promise<number> {
  await sql`select pg_advisory_xact_lock(${countLock})`.execute(tx.db);
  const { count } = await tx.db
    .selectFrom('api_tokens')
    .where('revoked_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export type NewToken = Omit<Token, 'id' | 'createdAt' | 'revokedAt'> & SealedToken;

export const insertToken = (tx: Tx, token: NewToken): Promise<Token> =>
  tx.db
    .insertInto('api_tokens')
    .values({
      name: token.name,
      type: token.type,
      environment: token.environment,
      projects: token.projects,
      secret_hash: token.secretHash,
      sealed_secret: token.sealedSecret,
      origin: token.origin,
      alias: token.alias,
      created_at: tx.now,
      expires_at: token.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();

export const updateToken = (tx: Tx, { id, projects, expiresAt }: Token) =>
  tx.db
    .updateTable('api_tokens')
    .set({ projects, expires_at: expiresAt })
    .where('id', '=', id)
    .execute();

/** Deletes the secret, which no one needs any more. */
export const updateTokenRevoked = (tx: Tx, id: number) =>
  tx.db
    .updateTable('api_tokens')
    .set({ revoked_at: tx.now, sealed_secret: null })
    .where('id', '=', id)
    .execute();

export const updateSealedSecret = (tx: Tx, id: number, sealedSecret: Buffer | null) =>
  tx.db
    .updateTable('api_tokens')
    .set({ sealed_secret: sealedSecret })
    .where('id', '=', id)
    .execute();

/** All tokens with a stored secret, locked. */
export const lockSealedTokens = (tx: Tx) =>
  tx.db
    .selectFrom('api_tokens')
    .where('sealed_secret', 'is not', null)
    .select(['id', 'type', ...sealedColumns])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

/** Those of the ids that are projects and not archived. They cannot be deleted before the transaction ends. */
export async function lockProjects(tx: Tx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('projects')
    .where(sql<boolean>`id = any(${ids}::text[])`)
    .where('archived_at', 'is', null)
    .select('id')
    .orderBy('id')
    .forKeyShare()
    .execute();
  return rows.map(({ id }) => id);
}

/** The environment of this name, or the default one for tokens, locked. */
export async function lockEnvironment(
  tx: Tx,
  name: string | undefined,
): Promise<string | undefined> {
  const row = await tx.db
    .selectFrom('environments')
    .$if(name !== undefined, (query) => query.where('name', '=', name as string))
    .select('name')
    .orderBy(sql`name = 'development'`, 'desc')
    .orderBy('sort_order')
    .orderBy('name')
    .limit(1)
    .forKeyShare()
    .executeTakeFirst();
  return row?.name;
}
