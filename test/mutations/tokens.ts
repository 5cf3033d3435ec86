import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const tokens = '/api/admin/api-tokens';
const ofDefault = '/api/admin/projects/default/api-tokens';

async function made(ask: TestApp['ask'], tokenName: string): Promise<number> {
  const payload = { tokenName, type: 'client', project: 'default' };
  return (await ask(`POST ${tokens}`, { payload })).json().id;
}

export const tokenMutations: Mutations = {
  scenarios: {
    createApiToken: (ask) =>
      ask(`POST ${tokens}`, {
        payload: { tokenName: 'created', type: 'client', project: 'default' },
      }),
    updateApiToken: async (ask) => {
      const id = await made(ask, 'to-change');
      return ask(`PUT ${tokens}/${id}`, { payload: { expiresAt: '2040-01-01T00:00:00Z' } });
    },
    deleteApiToken: async (ask) => ask(`DELETE ${tokens}/${await made(ask, 'to-revoke')}`),
    createProjectApiToken: (ask) =>
      ask(`POST ${ofDefault}`, { payload: { tokenName: 'of-default', type: 'frontend' } }),
    deleteProjectApiToken: async (ask) =>
      ask(`DELETE ${ofDefault}/${await made(ask, 'to-revoke-in-default')}`),
  },
  conflicts: {},
  changesNothing: {},
};
