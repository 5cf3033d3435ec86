import { defineUseCase } from '../../../../platform/module.ts';
import { inactiveContract } from './contract.ts';
import { listInactive, removePeople } from './service.ts';

/** The version of the response format, as in the reference product. */
const version = 1;

export const inactiveUseCase = defineUseCase({
  contract: inactiveContract,
  routes: ({ db, transact, clock, runHook }) => ({
    listInactiveUsers: async () => {
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
    },

    deleteInactiveUsers: ({ body }, { actor }) =>
      transact(actor, (tx) => removePeople(tx, body.ids, runHook)),
  }),
});
