import type { Db, Tx } from '../../../../platform/db/database.ts';
import { hashSecret } from '../../../../platform/secret.ts';
import type { CalendarToken } from './contract.ts';

const columns = ['id', 'project', 'feature', 'created_at as createdAt'] as const;

interface Row {
  readonly id: number;
  readonly project: string | null;
  readonly feature: string | null;
  readonly createdAt: Date;
}

const tokenOf = ({ id, project, feature, createdAt }: Row): CalendarToken => ({
  id,
  ...(project !== null && { project }),
  ...(feature !== null && { feature }),
  createdAt: createdAt.toISOString(),
});

/** Oldest first. */
export async function listTokensOf(db: Db, userId: number): Promise<CalendarToken[]> {
  const rows = await db
    .selectFrom('calendar_tokens')
    .where('user_id', '=', userId)
    .select(columns)
    .orderBy('id')
    .execute();
  return rows.map(tokenOf);
}

export const findToken = (db: Db, secret: string) =>
  db
    .selectFrom('calendar_tokens')
    .where('secret_hash', '=', hashSecret(secret))
    .select(['user_id as userId', 'project', 'feature'])
    .executeTakeFirst();

/** Locks the account, so that concurrent requests count each other's tokens. */
export const lockOwner = (tx: Tx, userId: number) =>
  tx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst();

interface NewToken {
  readonly userId: number;
  readonly project: string | undefined;
  readonly feature: string | undefined;
  readonly secretHash: Buffer;
}

export async function insertToken(
  tx: Tx,
  { userId, project, feature, secretHash }: NewToken,
): Promise<CalendarToken> {
  const row = await tx.db
    .insertInto('calendar_tokens')
    .values({
      user_id: userId,
      project: project ?? null,
      feature: feature ?? null,
      secret_hash: secretHash,
      created_at: tx.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return tokenOf(row);
}

/** Deletes one token of an account or all, and returns them. */
export async function deleteTokens(tx: Tx, userId: number, id?: number): Promise<CalendarToken[]> {
  const rows = await tx.db
    .deleteFrom('calendar_tokens')
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id as number))
    .returning(columns)
    .execute();
  return rows.map(tokenOf).sort((a, b) => a.id - b.id);
}

export const findProjectOf = async (db: Db, feature: string): Promise<string | undefined> =>
  (await db.selectFrom('features').where('name', '=', feature).select('project').executeTakeFirst())
    ?.project;
