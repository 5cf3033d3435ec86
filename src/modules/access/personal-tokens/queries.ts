import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { PersonalToken } from './contract.ts';

const columns = [
  'personal_tokens.id',
  'description',
  'user_id as userId',
  'expires_at as expiresAt',
  'created_at as createdAt',
] as const;

interface Row {
  readonly id: number;
  readonly description: string;
  readonly userId: number;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly seenAt?: Date | null;
}

const tokenOf = ({ seenAt, expiresAt, createdAt, ...row }: Row): PersonalToken => ({
  ...row,
  expiresAt: expiresAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  seenAt: seenAt?.toISOString() ?? null,
});

/** Oldest first. */
export async function listTokensOf(db: Db, users: readonly number[]): Promise<PersonalToken[]> {
  const rows = await db
    .selectFrom('personal_tokens')
    .leftJoin('last_seen', (join) =>
      join
        .onRef('last_seen.id', '=', 'personal_tokens.id')
        .on('last_seen.kind', '=', 'personal token'),
    )
    .where(sql<boolean>`user_id = any(${users}::int[])`)
    .select([...columns, 'last_seen.seen_at as seenAt'])
    .orderBy('personal_tokens.id')
    .execute();
  return rows.map(tokenOf);
}

/** Whether the account exists. Locks it, so that concurrent transactions do not add tokens. */
export async function lockOwner(tx: Tx, userId: number): Promise<boolean> {
  const found = await tx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found !== undefined;
}

export async function countTokensOf(db: Db, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('personal_tokens')
    .where('user_id', '=', userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

interface NewToken {
  readonly userId: number;
  readonly description: string;
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
}

export async function insertToken(tx: Tx, token: NewToken): Promise<PersonalToken> {
  const row = await tx.db
    .insertInto('personal_tokens')
    .values({
      user_id: token.userId,
      description: token.description,
      secret_hash: token.secretHash,
      created_at: tx.now,
      expires_at: token.expiresAt,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return tokenOf(row);
}

/** Deletes one token of an account or all, and returns them. */
export async function deleteTokens(tx: Tx, userId: number, id?: number): Promise<PersonalToken[]> {
  const rows = await tx.db
    .deleteFrom('personal_tokens')
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .returning(columns)
    .execute();
  return rows.map(tokenOf).sort((a, b) => a.id - b.id);
}
