import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const segments = '/api/admin/segments';

const create = async (ask: TestApp['ask'], name: string): Promise<number> =>
  (await ask(`POST ${segments}`, { payload: { name, constraints: [] } })).json().id;

export const segmentMutations: Mutations = {
  scenarios: {
    createSegment: (ask) =>
      ask(`POST ${segments}`, { payload: { name: 'created', constraints: [] } }),
    updateSegment: async (ask) => {
      const id = await create(ask, 'to-update');
      return ask(`PUT ${segments}/${id}`, { payload: { name: 'updated', constraints: [] } });
    },
    removeSegment: async (ask) => {
      const id = await create(ask, 'to-remove');
      return ask(`DELETE ${segments}/${id}`);
    },
  },

  conflicts: {
    createSegment: async (ask) => {
      await create(ask, 'taken');
      return ask(`POST ${segments}`, { payload: { name: 'taken', constraints: [] } });
    },
    updateSegment: async (ask) => {
      await create(ask, 'taken-too');
      const id = await create(ask, 'to-rename');
      return ask(`PUT ${segments}/${id}`, { payload: { name: 'taken-too', constraints: [] } });
    },
    removeSegment: async (ask) => {
      const id = await create(ask, 'needed');
      await ask('POST /api/admin/projects/default/environments/development/default-strategy', {
        payload: { name: 'flexibleRollout', segments: [id] },
      });
      return ask(`DELETE ${segments}/${id}`);
    },
    validateSegment: async (ask) => {
      await create(ask, 'validated');
      return ask(`POST ${segments}/validate`, { payload: { name: 'validated' } });
    },
  },

  changesNothing: {
    validateSegment: 'only says whether a segment could have a name',
  },
};
