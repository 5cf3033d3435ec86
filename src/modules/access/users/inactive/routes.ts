import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { inactiveContract } from './contract.ts';
import { listInactive, removePeople } from './service.ts';

/** The version of the response format, as in the reference product. */
const version = 1;

export function inactiveRoutes(app: FastifyInstance, { db, transact, clock }: Services): void {
  route(app, inactiveContract.listInactiveUsers, async () => {
    const people = await listInactive(db, clock());
    return {
      version,
      inactiveUsers: people.map(({ id, name, username, email, createdAt, seenAt }) => ({
        id,
        ...(name !== '' && { name }),
        ...(username !== null && { username }),
        ...(email !== null && { email }),
        createdAt: createdAt.toISOString(),
        ...(seenAt && { seenAt: seenAt.toISOString() }),
      })),
    };
  });

  route(app, inactiveContract.deleteInactiveUsers, ({ body }, { actor }) =>
    transact(actor, async (tx) => void (await removePeople(tx, body.ids))),
  );
}
