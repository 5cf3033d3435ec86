import type { FastifyInstance } from 'fastify';
import type { Db } from '../../../../platform/db/database.ts';
import { pathId } from '../../../../platform/http/path-id.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { clearSessionCookie, endSession, endSessions } from '../../gate/index.ts';
import { getPerson, requireAccount } from '../../users/index.ts';
import { sessionContract } from './contract.ts';
import { endSessionsOf, listSessions } from './service.ts';

/** The person in the path. */
async function personIn(db: Db, params: { readonly id: string }): Promise<number> {
  const { id } = await getPerson(db, pathId('user', params.id));
  return id;
}

export function sessionRoutes(app: FastifyInstance, services: Services): void {
  const { db, transact, clock, settings } = services;
  const contract = sessionContract;

  route(app, contract.listOwnSessions, async (_input, { actor }) => {
    const about = { now: clock(), limits: settings, current: actor.session };
    return { sessions: await listSessions(db, requireAccount(actor), about) };
  });

  route(app, contract.endOwnSession, async ({ params }, { actor, reply }) => {
    await transact(actor, (tx) => endSession(tx, requireAccount(actor), params.id));
    if (params.id === actor.session) clearSessionCookie(reply, settings.baseUrl);
    return undefined;
  });

  route(app, contract.endOtherSessions, async (_input, { actor }) => {
    await transact(actor, (tx) => endSessions(tx, requireAccount(actor), actor.session));
    return undefined;
  });

  route(app, contract.listSessionsOf, async ({ params }, { actor }) => {
    const about = { now: clock(), limits: settings, current: actor.session };
    return { sessions: await listSessions(db, await personIn(db, params), about) };
  });

  route(app, contract.endSessionsOf, async ({ params }, { actor }) => {
    await transact(actor, (tx) => endSessionsOf(tx, pathId('user', params.id)));
    return undefined;
  });

  route(app, contract.endSessionOf, async ({ params }, { actor }) => {
    await transact(actor, (tx) => endSessionsOf(tx, pathId('user', params.id), params.sessionId));
    return undefined;
  });
}
