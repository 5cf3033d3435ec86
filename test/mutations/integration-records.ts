import type { TestApp } from '../support/app.ts';
import type { Mutations } from './mutations.ts';

const addons = '/api/admin/addons';

/** Disabled, because its deliveries do not matter here. */
const create = async (ask: TestApp['ask'], description: string): Promise<number> => {
  const payload = {
    provider: 'webhook',
    description,
    enabled: false,
    parameters: { url: 'http://127.0.0.1:9/hook' },
    events: ['feature-created'],
  };
  return (await ask(`POST ${addons}`, { payload })).json().id;
};

export const integrationRecordMutations: Mutations = {
  scenarios: {
    pauseAddon: async (ask) => {
      const id = await create(ask, 'to-pause');
      return ask(`POST ${addons}/${id}/pause`);
    },
    resumeAddon: async (ask) => {
      const id = await create(ask, 'to-resume');
      await ask(`POST ${addons}/${id}/pause`);
      return ask(`POST ${addons}/${id}/resume`);
    },
  },

  conflicts: {},

  changesNothing: {
    redeliverIntegrationEvent: 'what happened is told once more; its record shows the attempt',
    redeliverIntegrationEvents: 'what happened is told once more; the records show the attempts',
    testAddon: 'tells of something that never happened',
  },
};
