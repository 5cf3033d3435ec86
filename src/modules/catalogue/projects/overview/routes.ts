import type { FastifyInstance } from 'fastify';
import { sendReadyJson } from '../../../../platform/http/long-json.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { overviewContract } from './contract.ts';
import { getOverview, getOverviewWithFeatures } from './service.ts';

export function overviewRoutes(
  app: FastifyInstance,
  { readSnapshot, lookUp, clock, settings: { baseUrl } }: Services,
): void {
  route(app, overviewContract.getProjectOverview, ({ params }, { actor }) =>
    readSnapshot((db) =>
      getOverview(db, lookUp, { actor, baseUrl, now: clock() }, params.projectId),
    ),
  );

  route(app, overviewContract.getDeprecatedProjectOverview, async ({ params }, context) => {
    const { actor, reply } = context;
    const json = await readSnapshot((db) =>
      getOverviewWithFeatures(db, lookUp, { actor, baseUrl, now: clock() }, params.projectId),
    );
    return sendReadyJson(reply, json);
  });
}
