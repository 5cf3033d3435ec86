import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const tokens = '/api/admin/user/tokens';

const payload = { description: 'created', expiresAt: null };

export const personalTokenMutations: Mutations = {
  scenarios: {
    createPat: async (ask, on) => {
      const { token } = await person(on);
      return ask(`POST ${tokens}`, { headers: { authorization: token }, payload });
    },
    deletePat: async (ask, on) => {
      const headers = { authorization: (await person(on)).token };
      const { id } = (await ask(`POST ${tokens}`, { headers, payload })).json();
      return ask(`DELETE ${tokens}/${id}`, { headers });
    },
  },
  conflicts: {
    createPat: async (ask, on) => {
      const headers = { authorization: (await person(on)).token };
      await ask(`POST ${tokens}`, { headers, payload });
      return ask(`POST ${tokens}`, { headers, payload });
    },
  },
  changesNothing: {},
};
