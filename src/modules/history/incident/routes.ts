import { sendReadyJson } from '../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../platform/module.ts';
import type { AsOf } from '../as-of.ts';
import { reachEventAt } from '../read-at.ts';
import { incidentContract } from './contract.ts';
import { getIncident } from './service.ts';

export const incidentUseCase = defineUseCase({
  contract: incidentContract,
  routes: (services) => ({
    getIncident: async ({ query }, { actor, reply }) => {
      const { searchDb, lookUp, clock, settings } = services;
      const circumstances = {
        db: searchDb,
        reach: (moment: AsOf) => reachEventAt(services, moment),
        ...{ lookUp, actor, now: clock() },
        metricsRetentionDays: settings.metricsRetentionDays,
      };
      const { json, ...incident } = await getIncident(query, circumstances);
      // The database has written the events as JSON already.
      return sendReadyJson(
        reply,
        `${JSON.stringify(incident).slice(0, -1)},"events":[${json.join(',')}]}`,
      );
    },
  }),
});
