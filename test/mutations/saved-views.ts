import type { TestApp } from '../support/app.ts';
import { person } from '../support/people.ts';
import type { Mutations } from './mutations.ts';

const views = '/api/admin/saved-views';

/** Tokens have no views. */
const asAuthor = async (app: TestApp) => ({
  headers: { authorization: (await person(app)).token },
});

const view = (name: string) => ({ payload: { page: 'features', name, query: 'state=stale' } });

export const savedViewMutations: Mutations = {
  scenarios: {
    createSavedView: async (ask, app) =>
      ask(`POST ${views}`, { ...(await asAuthor(app)), ...view('to-save') }),
    updateSavedView: async (ask, app) => {
      const author = await asAuthor(app);
      const { id } = (await ask(`POST ${views}`, { ...author, ...view('to-share') })).json();
      return ask(`PUT ${views}/${id}`, { ...author, payload: { shared: true } });
    },
    deleteSavedView: async (ask, app) => {
      const author = await asAuthor(app);
      const { id } = (await ask(`POST ${views}`, { ...author, ...view('to-delete') })).json();
      return ask(`DELETE ${views}/${id}`, author);
    },
  },
  conflicts: {
    createSavedView: async (ask, app) => {
      const author = await asAuthor(app);
      await ask(`POST ${views}`, { ...author, ...view('taken') });
      return ask(`POST ${views}`, { ...author, ...view('taken') });
    },
    updateSavedView: async (ask, app) => {
      const author = await asAuthor(app);
      await ask(`POST ${views}`, { ...author, ...view('taken') });
      const { id } = (await ask(`POST ${views}`, { ...author, ...view('to-rename') })).json();
      return ask(`PUT ${views}/${id}`, { ...author, payload: { name: 'taken' } });
    },
  },
  changesNothing: {},
};
