import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const tokens = '/api/admin/user/calendar-tokens';

/** API tokens have no calendar tokens. */
const asOwner = async (app: TestApp) => ({
  headers: { authorization: (await person(app)).token },
});

export const calendarMutations: Mutations = {
  scenarios: {
    createCalendarToken: async (ask, app) =>
      ask(`POST ${tokens}`, { ...(await asOwner(app)), payload: {} }),
    deleteCalendarToken: async (ask, app) => {
      const owner = await asOwner(app);
      const { id } = (await ask(`POST ${tokens}`, { ...owner, payload: {} })).json();
      return ask(`DELETE ${tokens}/${id}`, owner);
    },
  },
  conflicts: {},
  changesNothing: {},
};
