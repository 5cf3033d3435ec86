import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { type LoginOutcome, loginsContract } from '../contract/logins.ts';
import { addLogin, getLogins, type LoginAttempt } from '../service/logins.ts';

/** Keeps the outcome of a log-in and writes a line into the log, in a transaction of its own. */
export async function keepLogin(
  { transact, log }: Pick<Services, 'transact' | 'log'>,
  visitor: Actor,
  attempt: LoginAttempt,
  outcome: LoginOutcome,
): Promise<void> {
  const { userId, method, ip } = attempt;
  const line = { userId, method, ip, outcome, reqId: visitor.requestId };
  if (outcome === 'signed-in') log.info(line, 'signed in');
  else log.warn(line, 'log-in refused');
  await transact(visitor, (tx) => addLogin(tx, attempt, outcome));
}

/** Why a log-in was refused, in a word; undefined: the server failed, which is no refusal. */
export function outcomeOf(error: unknown): LoginOutcome | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.status === 429) return 'throttled';
  return error.status === 401 || error.status === 403 ? 'refused' : undefined;
}

export function loginRoutes(app: FastifyInstance, { db }: Services): void {
  route(app, loginsContract.getLogins, ({ query }) => getLogins(db, query));
}
