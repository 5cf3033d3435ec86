import type { FastifyInstance } from 'fastify';
import { route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { listFeatureNames } from './queries.ts';
import { getDashboard, getProjectDetails } from './service.ts';

/** About 1 MB. Of more features, the oldest are found by the list of features only. */
const maxNames = 20_000;

export function adminUiRoutes(
  app: FastifyInstance,
  { db, readSnapshot, clock, log, settings: { baseUrl } }: Services,
): void {
  route(app, contract.getDashboard, (_input, { actor }) =>
    readSnapshot((at) => getDashboard(at, { actor, baseUrl, now: clock() })),
  );

  route(app, contract.getProjectDetails, ({ params }, { actor }) =>
    readSnapshot((at) => getProjectDetails(at, { actor, baseUrl, now: clock() }, params.projectId)),
  );

  route(app, contract.listFeatureNames, async (_input, { actor }) => ({
    features: await listFeatureNames(db, { sees: actor.sees, limit: maxNames }),
  }));

  route(app, contract.getTelemetry, () => ({
    versionInfoCollectionEnabled: false,
    featureInfoCollectionEnabled: false,
  }));

  route(app, contract.reportError, ({ body }, { actor, request }) => {
    const { errorMessage, errorStack } = body;
    log.warn({ reqId: request.id, userId: actor.id, errorMessage, errorStack }, 'a page failed');
    return undefined;
  });

  route(app, contract.checkLicense, () => ({ isValid: true, message: '' }));

  route(app, contract.getScimSettings, () => ({
    enabled: false,
    hasToken: false,
    assumeControlOfExisting: false,
  }));

  route(app, contract.listBanners, () => ({ banners: [] }));

  route(app, contract.listNotifications, () => []);

  route(app, contract.listChangeRequests, () => []);
  route(app, contract.listPending, () => []);
  route(app, contract.listPendingOfFeature, () => []);
  route(app, contract.listScheduled, () => []);
  route(app, contract.countChangeRequests, () => ({
    total: 0,
    reviewRequired: 0,
    approved: 0,
    scheduled: 0,
    applied: 0,
    rejected: 0,
  }));
  route(app, contract.countActionable, () => ({ total: 0 }));
}
