import type { Actor } from '../../../../platform/actor.ts';
import { csvText, csvType, wantsCsv } from '../../../../platform/csv.ts';
import { AppError } from '../../../../platform/errors.ts';
import { defineUseCase, type Services } from '../../../../platform/module.ts';
import { type LoginOutcome, loginColumns, loginsContract } from './contract.ts';
import { countSignIn } from './metrics.ts';
import { addLogin, getLogins, type LoginAttempt } from './service.ts';

type Refusal = Exclude<LoginOutcome, 'signed-in'>;

/** Stores a refusal, and logs the first one of a minute. A failure to store it does not affect the caller. */
export async function storeRefusal(
  services: Pick<Services, 'transact' | 'log' | 'metrics'>,
  visitor: Actor,
  attempt: LoginAttempt,
  outcome: Refusal,
): Promise<void> {
  const { transact, log } = services;
  const { userId, method, ip } = attempt;
  countSignIn(services, method, outcome);
  try {
    const attempts = await transact(visitor, (tx) => addLogin(tx, attempt, outcome));
    if (attempts === 1) {
      log.warn({ userId, method, ip, outcome, reqId: visitor.requestId }, 'sign-in refused');
    }
  } catch (error) {
    log.error({ err: error }, 'a refused sign-in could not be stored');
  }
}

/** The reason for the refusal. Undefined if the server failed, which is no refusal. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof AppError)) return undefined;
  if (error.status === 429) return 'throttled';
  return error.status === 401 || error.status === 403 ? 'refused' : undefined;
}

export const loginUseCase = defineUseCase({
  contract: loginsContract,
  routes: ({ db }) => ({
    getLogins: async ({ query }, { request, reply }) => {
      const events = await getLogins(db, query);
      if (!wantsCsv(request.headers.accept)) return { events };
      return reply.header('content-type', csvType).send(csvText(loginColumns, events));
    },
  }),
});
