import { type Kysely, sql } from 'kysely';
import type { Database, Db, Tx } from '../../../../platform/db/database.ts';
import { deleteInBatches } from '../../../../platform/db/in-batches.ts';

export interface NewLogin {
  readonly userId: number | null;
  readonly method: 'password' | 'oidc';
  readonly outcome: string;
  readonly ip: string;
  readonly userAgent: string | null;
}

/** One row per success, and one row per minute for refusals of the same kind. Returns the attempts of the row. */
export async function insertLogin(tx: Tx, login: NewLogin): Promise<number> {
  const { attempts } = await tx.db
    .insertInto('logins')
    .values({
      user_id: login.userId,
      method: login.method,
      outcome: login.outcome,
      ip: login.ip,
      user_agent: login.userAgent,
      first_at: tx.now,
      last_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict
        .expression(
          sql`coalesce(user_id, 0), ip, outcome, date_trunc('minute', first_at at time zone 'UTC')`,
        )
        // A literal, because PostgreSQL does not use the partial index with a parameter.
        .where('outcome', '<>', sql.lit('signed-in'))
        .doUpdateSet({ attempts: sql`logins.attempts + 1`, last_at: tx.now }),
    )
    .returning('attempts')
    .executeTakeFirstOrThrow();
  return attempts;
}

export interface LoginFilter {
  readonly userId: number | undefined;
  readonly outcome: string | undefined;
  /** Only rows before this id, which is the last one of the previous page. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listLogins = (db: Db, { userId, outcome, before, limit }: LoginFilter) =>
  db
    .selectFrom('logins')
    .leftJoin('users', 'users.id', 'logins.user_id')
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId as number))
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome as string))
    .$if(before !== undefined, (query) => query.where('logins.id', '<', before as number))
    .select([
      'logins.id',
      'user_id as userId',
      'users.email',
      'users.username',
      'method',
      'outcome',
      'ip',
      'user_agent as userAgent',
      'attempts',
      'first_at as firstAt',
      'last_at as lastAt',
    ])
    .orderBy('logins.id', 'desc')
    .limit(limit)
    .execute();

export const deleteLoginsOf = (tx: Tx, userId: number) =>
  tx.db.deleteFrom('logins').where('user_id', '=', userId).execute();

export const deleteLoginsBefore = (db: Kysely<Database>, instant: Date) =>
  deleteInBatches(db, 'logins', sql`last_at < ${instant}`);
