import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const strategies = '/api/admin/strategies';

const create = (ask: TestApp['ask'], name: string) =>
  ask(`POST ${strategies}`, { payload: { name, parameters: [] } });

export const strategyTypeMutations: Mutations = {
  scenarios: {
    createStrategy: (ask) => create(ask, 'created-type'),
    updateStrategy: async (ask) => {
      await create(ask, 'type-to-change');
      return ask(`PUT ${strategies}/type-to-change`, { payload: { description: 'changed' } });
    },
    removeStrategy: async (ask) => {
      await create(ask, 'type-to-remove');
      return ask(`DELETE ${strategies}/type-to-remove`);
    },
    deprecateStrategy: async (ask) => {
      await create(ask, 'type-to-deprecate');
      return ask(`POST ${strategies}/type-to-deprecate/deprecate`);
    },
    reactivateStrategy: async (ask) => {
      await create(ask, 'type-to-reactivate');
      await ask(`POST ${strategies}/type-to-reactivate/deprecate`);
      return ask(`POST ${strategies}/type-to-reactivate/reactivate`);
    },
  },

  conflicts: {
    createStrategy: (ask) => create(ask, 'flexibleRollout'),
  },

  changesNothing: {},
};
