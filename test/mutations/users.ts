import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const admin = '/api/admin/user-admin';
const good = 'a fine long phrase 17';

const create = (ask: Ask, username: string) =>
  ask(`POST ${admin}`, { payload: { username, rootRole: 3 } });

/** Somebody who was neither created nor seen for a year. */
async function dormant(on: TestApp): Promise<number> {
  const { id } = await person(on);
  await on.db
    .updateTable('users')
    .set({ created_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  return id;
}

export const userMutations: Mutations = {
  scenarios: {
    createUser: (ask) => create(ask, 'created-user'),
    updateUser: async (ask, on) => {
      const { id } = await person(on);
      return ask(`PUT ${admin}/${id}`, { payload: { name: 'Changed' } });
    },
    deleteUser: async (ask, on) => {
      const { id } = await person(on);
      return ask(`DELETE ${admin}/${id}`);
    },
    changeUserPassword: async (ask, on) => {
      const { id } = await person(on);
      return ask(`POST ${admin}/${id}/change-password`, { payload: { password: good } });
    },
    resetUserPassword: async (ask, on) => {
      const { id } = await person(on);
      return ask(`POST ${admin}/reset-password`, { payload: { id } });
    },
    deleteInactiveUsers: async (ask, on) => {
      const id = await dormant(on);
      return ask(`POST ${admin}/inactive/delete`, { payload: { ids: [id] } });
    },
  },

  conflicts: {
    createUser: async (ask) => {
      await create(ask, 'taken-user');
      return create(ask, 'Taken-User');
    },
    updateUser: async (ask, on) => {
      const { id } = await person(on);
      await ask(`POST ${admin}`, { payload: { email: 'taken@example.com', rootRole: 3 } });
      return ask(`PUT ${admin}/${id}`, { payload: { email: 'taken@example.com' } });
    },
  },

  changesNothing: {
    validateUserPassword: 'only says whether a password is good enough',
  },
};
