import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const views = '/api/admin/saved-views';

/** Tokens have no views. */
const asSomebody = async (app: TestApp) => ({
  headers: { authorization: (await person(app)).token },
});

const view = (name: string) => ({ payload: { page: 'features', name, query: 'state=stale' } });

export const savedViewMutations: Mutations = {
  scenarios: {
    createSavedView: async (ask, app) =>
      ask(`POST ${views}`, { ...(await asSomebody(app)), ...view('to-save') }),
    updateSavedView: async (ask, app) => {
      const somebody = await asSomebody(app);
      const { id } = (await ask(`POST ${views}`, { ...somebody, ...view('to-share') })).json();
      return ask(`PUT ${views}/${id}`, { ...somebody, payload: { shared: true } });
    },
    deleteSavedView: async (ask, app) => {
      const somebody = await asSomebody(app);
      const { id } = (await ask(`POST ${views}`, { ...somebody, ...view('to-delete') })).json();
      return ask(`DELETE ${views}/${id}`, somebody);
    },
  },
  conflicts: {
    createSavedView: async (ask, app) => {
      const somebody = await asSomebody(app);
      await ask(`POST ${views}`, { ...somebody, ...view('taken') });
      return ask(`POST ${views}`, { ...somebody, ...view('taken') });
    },
    updateSavedView: async (ask, app) => {
      const somebody = await asSomebody(app);
      await ask(`POST ${views}`, { ...somebody, ...view('taken') });
      const { id } = (await ask(`POST ${views}`, { ...somebody, ...view('to-rename') })).json();
      return ask(`PUT ${views}/${id}`, { ...somebody, payload: { name: 'taken' } });
    },
  },
  changesNothing: {},
};
