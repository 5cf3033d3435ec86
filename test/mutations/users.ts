import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const admin = '/api/admin/user-admin';
const good = 'a fine long phrase 17';

const create = (ask: Ask, username: string) =>
  ask(`POST ${admin}`, { payload: { username, rootRole: 3 } });

/** A user who was created a year ago and not seen since. */
async function dormant(app: TestApp): Promise<number> {
  const { id } = await person(app);
  await app.db
    .updateTable('users')
    .set({ created_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  return id;
}

/** Tokens have no preferences. */
const asSomebody = async (app: TestApp) => ({
  headers: { authorization: (await person(app)).token },
});

export const userMutations: Mutations = {
  scenarios: {
    createUser: (ask) => create(ask, 'created-user'),
    updateUser: async (ask, app) => {
      const { id } = await person(app);
      return ask(`PUT ${admin}/${id}`, { payload: { name: 'Changed' } });
    },
    deleteUser: async (ask, app) => {
      const { id } = await person(app);
      return ask(`DELETE ${admin}/${id}`);
    },
    changeUserPassword: async (ask, app) => {
      const { id } = await person(app);
      return ask(`POST ${admin}/${id}/change-password`, { payload: { password: good } });
    },
    resetUserPassword: async (ask, app) => {
      const { id } = await person(app);
      return ask(`POST ${admin}/reset-password`, { payload: { id } });
    },
    deleteInactiveUsers: async (ask, app) => {
      const id = await dormant(app);
      return ask(`POST ${admin}/inactive/delete`, { payload: { ids: [id] } });
    },
    createFeedback: async (ask, app) =>
      ask('POST /api/admin/feedback', {
        ...(await asSomebody(app)),
        payload: { feedbackId: 'asked' },
      }),
    updateFeedback: async (ask, app) =>
      ask('PUT /api/admin/feedback/asked', {
        ...(await asSomebody(app)),
        payload: { neverShow: true },
      }),
    updateSplashSettings: async (ask, app) =>
      ask('POST /api/admin/splash/shown', await asSomebody(app)),
  },

  conflicts: {
    createUser: async (ask) => {
      await create(ask, 'taken-user');
      return create(ask, 'Taken-User');
    },
    updateUser: async (ask, app) => {
      const { id } = await person(app);
      await ask(`POST ${admin}`, { payload: { email: 'taken@example.com', rootRole: 3 } });
      return ask(`PUT ${admin}/${id}`, { payload: { email: 'taken@example.com' } });
    },
  },

  changesNothing: {
    validateUserPassword: 'only says whether a password is good enough',
  },
};
