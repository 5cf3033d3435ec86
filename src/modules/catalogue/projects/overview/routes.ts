import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { overviewContract } from './contract.ts';
import { featureSummaries, getOverview } from './service.ts';

export const overviewUseCase = defineUseCase({
  contract: overviewContract,
  routes: ({ db, readAt, readSnapshot, lookUp, clock, settings: { baseUrl } }) => ({
    getProjectOverview: async ({ params, query }, { actor }) => {
      const { now, ...moment } = await readAt(db, actor, query.asOf);
      const viewer = { actor, baseUrl, now };
      return moment.readSnapshot((at) => getOverview(at, lookUp, viewer, params.projectId));
    },

    getDeprecatedProjectOverview: async ({ params }, context) => {
      const { actor, reply } = context;
      const viewer = { actor, baseUrl, now: clock() };
      const { projectId: project } = params;
      const overview = await readSnapshot((at) => getOverview(at, lookUp, viewer, project));
      const features = await lookUp(featureSummaries, db, { project, viewer });
      return streamJson(reply, withList(overview, 'features', features));
    },
  }),
});
