import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import { incidentContract } from './contract.ts';
import { getIncident } from './service.ts';

export const incidentUseCase = defineUseCase({
  contract: incidentContract,
  routes: ({ searchDb, lookUp, clock, settings: { metricsRetentionDays } }) => ({
    getIncident: async ({ query }, { actor, reply }) => {
      const circumstances = { db: searchDb, lookUp, actor, now: clock(), metricsRetentionDays };
      const { json, ...incident } = await getIncident(query, circumstances);
      // The database has written the events as JSON already.
      return sendReadyJson(
        reply,
        `${JSON.stringify(incident).slice(0, -1)},"events":[${json.join(',')}]}`,
      );
    },
  }),
});
