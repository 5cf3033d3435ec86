import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const accounts = '/api/admin/service-account';

async function made(ask: TestApp['ask'], username: string): Promise<number> {
  const payload = { username, name: 'Made', rootRole: 3 };
  return (await ask(`POST ${accounts}`, { payload })).json().id;
}

const token = { description: 'pipeline', expiresAt: null };

export const serviceAccountMutations: Mutations = {
  scenarios: {
    createServiceAccount: (ask) =>
      ask(`POST ${accounts}`, {
        payload: { username: 'created-machine', name: 'Created', rootRole: 3 },
      }),
    updateServiceAccount: async (ask) =>
      ask(`PUT ${accounts}/${await made(ask, 'machine-to-change')}`, {
        payload: { name: 'Changed', rootRole: 2 },
      }),
    deleteServiceAccount: async (ask) =>
      ask(`DELETE ${accounts}/${await made(ask, 'machine-to-delete')}`),
    createServiceAccountToken: async (ask) =>
      ask(`POST ${accounts}/${await made(ask, 'machine-with-token')}/token`, { payload: token }),
    deleteServiceAccountToken: async (ask) => {
      const own = `${accounts}/${await made(ask, 'machine-without-token')}/token`;
      const { id } = (await ask(`POST ${own}`, { payload: token })).json();
      return ask(`DELETE ${own}/${id}`);
    },
  },

  conflicts: {
    createServiceAccount: async (ask) => {
      await made(ask, 'taken-machine');
      return ask(`POST ${accounts}`, { payload: { username: 'Taken-Machine', rootRole: 3 } });
    },
    updateServiceAccount: async (ask) => {
      await made(ask, 'taken-machine-too');
      const id = await made(ask, 'machine-to-rename');
      return ask(`PUT ${accounts}/${id}`, { payload: { username: 'taken-machine-too' } });
    },
    createServiceAccountToken: async (ask) => {
      const own = `${accounts}/${await made(ask, 'machine-with-two')}/token`;
      await ask(`POST ${own}`, { payload: token });
      return ask(`POST ${own}`, { payload: token });
    },
  },

  changesNothing: {},
};
