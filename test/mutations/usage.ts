import type { TestApp } from '../support/app.ts';
import { programs } from '../support/usage.ts';
import type { Mutations } from './mutations.ts';

const applications = '/api/admin/metrics/applications';

/** An application that was heard of, and stored. */
const heard = async (ask: TestApp['ask'], appName: string): Promise<string> => {
  await programs({ ask }).register({ appName });
  await ask(`GET ${applications}/${appName}`);
  return `${applications}/${appName}`;
};

const told = 'what programs tell is no change; a new application is recorded by the flush';

export const usageMutations: Mutations = {
  scenarios: {
    createApplication: async (ask) => {
      const application = await heard(ask, 'to-describe');
      return ask(`POST ${application}`, { payload: { description: 'Sells things' } });
    },
    deleteApplication: async (ask) => {
      const application = await heard(ask, 'to-forget');
      return ask(`DELETE ${application}`);
    },
  },

  conflicts: {},

  changesNothing: {
    registerClientApplication: told,
    registerClientMetrics: told,
    clientBulkMetrics: told,
    clientEdgeMetrics: told,
  },
};
