import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const groups = '/api/admin/groups';

const createdBy = async (ask: TestApp['ask'], name: string): Promise<string> =>
  `${groups}/${(await ask(`POST ${groups}`, { payload: { name } })).json().id}`;

export const groupMutations: Mutations = {
  scenarios: {
    createGroup: async (ask, app) => {
      const { id } = await person(app);
      return ask(`POST ${groups}`, { payload: { name: 'Created', users: [{ user: { id } }] } });
    },
    updateGroup: async (ask, app) => {
      const { id } = await person(app);
      return ask(`PUT ${await createdBy(ask, 'To change')}`, {
        payload: { name: 'Changed', users: [{ user: { id } }] },
      });
    },
    deleteGroup: async (ask) => ask(`DELETE ${await createdBy(ask, 'To delete')}`),
  },

  conflicts: {
    createGroup: async (ask) => {
      await createdBy(ask, 'Taken');
      return ask(`POST ${groups}`, { payload: { name: 'Taken' } });
    },
    updateGroup: async (ask) => {
      await createdBy(ask, 'Taken, too');
      return ask(`PUT ${await createdBy(ask, 'Other')}`, { payload: { name: 'Taken, too' } });
    },
  },

  changesNothing: {},
};
