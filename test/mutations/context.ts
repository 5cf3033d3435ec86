import type { Mutations } from './mutations.ts';

const context = '/api/admin/context';

export const contextMutations: Mutations = {
  scenarios: {
    createContextField: (ask) => ask(`POST ${context}`, { payload: { name: 'created' } }),
    updateContextField: (ask) =>
      ask(`PUT ${context}/appName`, { payload: { description: 'Which application' } }),
    updateContextFieldLegalValue: (ask) =>
      ask(`POST ${context}/environment/legal-values`, { payload: { value: 'production' } }),
    deleteContextFieldLegalValue: async (ask) => {
      const payload = { name: 'to-narrow', legalValues: [{ value: 'yes' }, { value: 'no' }] };
      await ask(`POST ${context}`, { payload });
      return ask(`DELETE ${context}/to-narrow/legal-values/no`);
    },
    deleteContextField: async (ask) => {
      await ask(`POST ${context}`, { payload: { name: 'to-remove' } });
      return ask(`DELETE ${context}/to-remove`);
    },
  },

  conflicts: {
    createContextField: (ask) => ask(`POST ${context}`, { payload: { name: 'userId' } }),
    validate: (ask) => ask(`POST ${context}/validate`, { payload: { name: 'userId' } }),
  },

  changesNothing: {
    validate: 'only says whether a context field could have a name',
    validateConstraint: 'only says whether a constraint could be set',
  },
};
