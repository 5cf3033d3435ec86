import type { Db } from '../../../../platform/db/database.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { clearSessionCookie, endSession, endSessions } from '../../gate/index.ts';
import { getPerson, requireAccount } from '../../users/index.ts';
import { sessionContract } from './contract.ts';
import { endSessionsOf, listSessions } from './service.ts';

/** The person in the path. */
async function personIn(db: Db, params: { readonly id: string }): Promise<number> {
  const { id } = await getPerson(db, pathId('user', params.id));
  return id;
}

export const sessionUseCase = defineUseCase({
  contract: sessionContract,
  routes: (services) => {
    const { db, transact, clock, settings } = services;

    return {
      listOwnSessions: async (_input, { actor }) => {
        const about = { now: clock(), limits: settings, current: actor.session };
        return { sessions: await listSessions(db, requireAccount(actor), about) };
      },

      endOwnSession: async ({ params }, { actor, reply }) => {
        await transact(actor, (tx) => endSession(tx, requireAccount(actor), params.id));
        if (params.id === actor.session) clearSessionCookie(reply, settings.baseUrl);
        return undefined;
      },

      endOtherSessions: async (_input, { actor }) => {
        await transact(actor, (tx) => endSessions(tx, requireAccount(actor), actor.session));
        return undefined;
      },

      listSessionsOf: async ({ params }, { actor }) => {
        const about = { now: clock(), limits: settings, current: actor.session };
        return { sessions: await listSessions(db, await personIn(db, params), about) };
      },

      endSessionsOf: async ({ params }, { actor }) => {
        await transact(actor, (tx) => endSessionsOf(tx, pathId('user', params.id)));
        return undefined;
      },

      endSessionOf: async ({ params }, { actor }) => {
        await transact(actor, (tx) =>
          endSessionsOf(tx, pathId('user', params.id), params.sessionId),
        );
        return undefined;
      },
    };
  },
});
