import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { overviewContract } from './contract.ts';
import { featureSummaries, getOverview } from './service.ts';

export const overviewUseCase = defineUseCase({
  contract: overviewContract,
  routes: ({ db, readSnapshot, lookUp, clock, settings: { baseUrl } }) => ({
    getProjectOverview: ({ params }, { actor }) =>
      readSnapshot((at) =>
        getOverview(at, lookUp, { actor, baseUrl, now: clock() }, params.projectId),
      ),

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
