import type { TestApp } from './app.ts';

export const strategyTypes = '/api/admin/strategies';

/** Requests for strategy types. */
export const strategyTypesOn = ({ ask }: Pick<TestApp, 'ask'>) => ({
  create: (payload: object) => ask(`POST ${strategyTypes}`, { payload }),

  change: (name: string, payload: object) => ask(`PUT ${strategyTypes}/${name}`, { payload }),

  read: async (name: string) => (await ask(`GET ${strategyTypes}/${name}`)).json(),
});
