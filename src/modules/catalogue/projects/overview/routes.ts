import type { FastifyInstance } from 'fastify';
import { streamJson, withList } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { overviewContract } from './contract.ts';
import { featureSummaries, getOverview } from './service.ts';

export function overviewRoutes(
  app: FastifyInstance,
  { db, readSnapshot, lookUp, clock, settings: { baseUrl } }: Services,
): void {
  route(app, overviewContract.getProjectOverview, ({ params }, { actor }) =>
    readSnapshot((at) =>
      getOverview(at, lookUp, { actor, baseUrl, now: clock() }, params.projectId),
    ),
  );

  route(app, overviewContract.getDeprecatedProjectOverview, async ({ params }, context) => {
    const { actor, reply } = context;
    const viewer = { actor, baseUrl, now: clock() };
    const { projectId: project } = params;
    const overview = await readSnapshot((at) => getOverview(at, lookUp, viewer, project));
    const features = await lookUp(featureSummaries, db, { project, viewer });
    return streamJson(reply, withList(overview, 'features', features));
  });
}
