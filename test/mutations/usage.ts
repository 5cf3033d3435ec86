import type { TestApp } from '../support/app.ts';
import { programs } from '../support/usage.ts';
import type { Mutations } from './mutations.ts';

const applications = '/api/admin/metrics/applications';

/** An application that reported metrics, which are stored. */
const reportUsage = async (ask: TestApp['ask'], appName: string): Promise<string> => {
  await programs({ ask }).register({ appName });
  await ask(`GET ${applications}/${appName}`);
  return `${applications}/${appName}`;
};

const unknownNames = '/api/admin/metrics/unknown-flags';

/** An unknown flag that an application requested. */
const unknown = async (ask: TestApp['ask'], name: string): Promise<string> => {
  await programs({ ask }).metrics({ [name]: { yes: 1, no: 0 } });
  return `${unknownNames}/${name}/ignore`;
};

const notRecorded = 'usage reports are not recorded; a new application is recorded by the flush';

export const usageMutations: Mutations = {
  scenarios: {
    createApplication: async (ask) => {
      const application = await reportUsage(ask, 'to-describe');
      return ask(`POST ${application}`, { payload: { description: 'Sells things' } });
    },
    deleteApplication: async (ask) => {
      const application = await reportUsage(ask, 'to-forget');
      return ask(`DELETE ${application}`);
    },
    ignoreUnknownFlag: async (ask) => ask(`PUT ${await unknown(ask, 'to-ignore')}`),
    noticeUnknownFlag: async (ask) => {
      const ignored = await unknown(ask, 'to-notice');
      await ask(`PUT ${ignored}`);
      return ask(`DELETE ${ignored}`);
    },
  },

  conflicts: {},

  changesNothing: {
    getFeatureEvaluations: 'only counts',
    registerClientApplication: notRecorded,
    registerClientMetrics: notRecorded,
    clientBulkMetrics: notRecorded,
    clientEdgeMetrics: notRecorded,
  },
};
