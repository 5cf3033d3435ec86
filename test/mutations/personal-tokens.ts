import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const tokens = '/api/admin/user/tokens';

const payload = { description: 'created', expiresAt: null };

export const personalTokenMutations: Mutations = {
  scenarios: {
    createPat: async (ask, app) => {
      const { token } = await person(app);
      return ask(`POST ${tokens}`, { headers: { authorization: token }, payload });
    },
    deletePat: async (ask, app) => {
      const headers = { authorization: (await person(app)).token };
      const { id } = (await ask(`POST ${tokens}`, { headers, payload })).json();
      return ask(`DELETE ${tokens}/${id}`, { headers });
    },
  },
  conflicts: {
    createPat: async (ask, app) => {
      const headers = { authorization: (await person(app)).token };
      await ask(`POST ${tokens}`, { headers, payload });
      return ask(`POST ${tokens}`, { headers, payload });
    },
  },
  changesNothing: {},
};
