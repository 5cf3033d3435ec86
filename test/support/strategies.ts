import type { Strategy } from '../../src/modules/flags/features/index.ts';
import type { TestApp } from './app.ts';
import { make } from './make.ts';

interface Where {
  readonly project?: string;
  readonly environment?: string;
}

export const placePath = (
  feature: string,
  { project = 'default', environment = 'development' }: Where = {},
) => `/api/admin/projects/${project}/features/${feature}/environments/${environment}`;

/** Asks about the strategies of features, in development unless told otherwise. */
export const strategiesOn = ({ ask }: Pick<TestApp, 'ask'>) => {
  const path = (feature: string, where?: Where) => `${placePath(feature, where)}/strategies`;
  return {
    feature: (name: string, project = 'default') => make(ask).feature(name, { project }),

    add: (feature: string, strategy: object = {}, where?: Where) =>
      ask(`POST ${path(feature, where)}`, { payload: { name: 'flexibleRollout', ...strategy } }),

    /** Adds one that has to be added. */
    added: async (feature: string, strategy: object = {}, where?: Where): Promise<Strategy> => {
      const response = await ask(`POST ${path(feature, where)}`, {
        payload: { name: 'flexibleRollout', ...strategy },
      });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json();
    },

    list: async (feature: string, where?: Where): Promise<Strategy[]> =>
      (await ask(`GET ${path(feature, where)}`)).json(),

    replace: (feature: string, id: string, payload: object, where?: Where) =>
      ask(`PUT ${path(feature, where)}/${id}`, { payload }),

    patch: (feature: string, id: string, payload: object[], where?: Where) =>
      ask(`PATCH ${path(feature, where)}/${id}`, { payload }),

    remove: (feature: string, id: string, where?: Where) =>
      ask(`DELETE ${path(feature, where)}/${id}`),

    order: (feature: string, payload: object[], where?: Where) =>
      ask(`POST ${path(feature, where)}/set-sort-order`, { payload }),

    turn: (feature: string, state: 'on' | 'off', query = '', where?: Where) =>
      ask(`POST ${placePath(feature, where)}/${state}${query}`),

    /** The feature, with all that belongs to it. */
    whole: async (feature: string, project = 'default') =>
      (await ask(`GET /api/admin/projects/${project}/features/${feature}`)).json(),

    isOn: async (feature: string, where?: Where): Promise<boolean> =>
      (await ask(`GET ${placePath(feature, where)}`)).json().enabled,
  };
};
