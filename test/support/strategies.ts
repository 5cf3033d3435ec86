import type { Strategy } from '../../src/modules/flags/features/index.ts';
import type { TestApp } from './app.ts';
import { make } from './make.ts';

interface StrategyLocation {
  readonly project?: string;
  readonly environment?: string;
}

export const featureEnvironmentPath = (
  feature: string,
  { project = 'default', environment = 'development' }: StrategyLocation = {},
) => `/api/admin/projects/${project}/features/${feature}/environments/${environment}`;

/** Requests about strategies, in development unless another environment is given. */
export const strategiesOn = ({ ask }: Pick<TestApp, 'ask'>) => {
  const path = (feature: string, location?: StrategyLocation) =>
    `${featureEnvironmentPath(feature, location)}/strategies`;
  return {
    feature: (name: string, project = 'default') => make(ask).feature(name, { project }),

    add: (feature: string, strategy: object = {}, location?: StrategyLocation) =>
      ask(`POST ${path(feature, location)}`, { payload: { name: 'flexibleRollout', ...strategy } }),

    /** Throws if the strategy is rejected. */
    added: async (
      feature: string,
      strategy: object = {},
      location?: StrategyLocation,
    ): Promise<Strategy> => {
      const response = await ask(`POST ${path(feature, location)}`, {
        payload: { name: 'flexibleRollout', ...strategy },
      });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json();
    },

    list: async (feature: string, location?: StrategyLocation): Promise<Strategy[]> =>
      (await ask(`GET ${path(feature, location)}`)).json(),

    replace: (feature: string, id: string, payload: object, location?: StrategyLocation) =>
      ask(`PUT ${path(feature, location)}/${id}`, { payload }),

    patch: (feature: string, id: string, payload: object[], location?: StrategyLocation) =>
      ask(`PATCH ${path(feature, location)}/${id}`, { payload }),

    remove: (feature: string, id: string, location?: StrategyLocation) =>
      ask(`DELETE ${path(feature, location)}/${id}`),

    order: (feature: string, payload: object[], location?: StrategyLocation) =>
      ask(`POST ${path(feature, location)}/set-sort-order`, { payload }),

    turn: (feature: string, state: 'on' | 'off', query = '', location?: StrategyLocation) =>
      ask(`POST ${featureEnvironmentPath(feature, location)}/${state}${query}`),

    whole: async (feature: string, project = 'default') =>
      (await ask(`GET /api/admin/projects/${project}/features/${feature}`)).json(),

    isOn: async (feature: string, location?: StrategyLocation): Promise<boolean> =>
      (await ask(`GET ${featureEnvironmentPath(feature, location)}`)).json().enabled,
  };
};
