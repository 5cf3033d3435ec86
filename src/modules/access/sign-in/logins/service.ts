import { callerOf } from '../../../../platform/caller-address.ts';
import { dayMs } from '../../../../platform/clock.ts';
import type { Db, Tx } from '../../../../platform/db/database.ts';
import type { Login, LoginOutcome, LoginsQuery } from './contract.ts';
import { insertLogin, listLogins, type NewLogin } from './queries.ts';

/** How long log-ins are stored. */
export const loginsStoredForMs = 180 * dayMs;

const defaultLimit = 100;

export interface LoginAttempt extends Pick<NewLogin, 'method' | 'ip'> {
  readonly userId: number | undefined;
  readonly userAgent: string | undefined;
}

/**
 * Stores a log-in or a refusal, and returns the attempts of its row. It is not an event, because it changes nothing.
 * Refusals are stored by network, as they are throttled: a caller with 2^64 addresses gets one row per minute.
 */
export const addLogin = (
  tx: Tx,
  { userId, method, ip, userAgent }: LoginAttempt,
  outcome: LoginOutcome,
): Promise<number> =>
  insertLogin(tx, {
    userId: userId ?? null,
    method,
    outcome,
    ip: outcome === 'signed-in' ? ip : callerOf(ip),
    userAgent: userAgent?.slice(0, 300) ?? null,
  });

/** Log-ins and refusals, newest first. */
export async function getLogins(db: Db, query: LoginsQuery): Promise<Login[]> {
  const rows = await listLogins(db, {
    userId: query.userId === undefined ? undefined : Number(query.userId),
    outcome: query.outcome,
    before: query.before === undefined ? undefined : Number(query.before),
    limit: query.limit === undefined ? defaultLimit : Number(query.limit),
  });
  return rows.map(
    ({ email, username, userId, userAgent, firstAt, lastAt, method, outcome, ...row }) => ({
      ...row,
      auth_type: method as Login['auth_type'],
      outcome: outcome as LoginOutcome,
      successful: outcome === 'signed-in',
      ...(outcome !== 'signed-in' && { failure_reason: outcome as 'refused' | 'throttled' }),
      created_at: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
      ...(userId !== null && { userId }),
      ...(userAgent !== null && { userAgent }),
      ...((email ?? username) && { username: email ?? username ?? '' }),
    }),
  );
}
