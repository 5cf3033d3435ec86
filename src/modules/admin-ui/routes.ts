import { defineUseCase } from '../../platform/module.ts';
import { createRateLimit } from '../../platform/rate.ts';
import { uiContract } from './contract.ts';
import { listFeatureNames } from './queries.ts';
import { getDashboard, getProjectDetails } from './service.ts';

/** About 1 MB. Of more features, the oldest are found by the list of features only. */
const maxNames = 20_000;

/** Everyone may report errors. One account writes at most 15 MB a day to the log of an instance. */
const pageErrorRate = { burst: 10, perMinute: 2 };
const maxErrorMessage = 1_000;
const maxErrorStack = 4_000;

export const adminUiUseCase = defineUseCase({
  contract: uiContract,
  routes: ({ db, readSnapshot, clock, log, settings: { baseUrl } }) => {
    const pageErrors = createRateLimit(pageErrorRate, clock);
    let dropped = 0;

    return {
      getDashboard: (_input, { actor }) =>
        readSnapshot((at) => getDashboard(at, { actor, baseUrl, now: clock() })),
      getProjectDetails: ({ params }, { actor }) =>
        readSnapshot((at) =>
          getProjectDetails(at, { actor, baseUrl, now: clock() }, params.projectId),
        ),
      listFeatureNames: async (_input, { actor }) => ({
        features: await listFeatureNames(db, { sees: actor.sees, limit: maxNames }),
      }),

      getTelemetry: () => ({
        versionInfoCollectionEnabled: false,
        featureInfoCollectionEnabled: false,
      }),
      reportError: ({ body }, { actor, request }) => {
        if (pageErrors.take(`${actor.kind} ${actor.id}`) > 0) {
          dropped += 1;
          return undefined;
        }
        const errorMessage = body.errorMessage.slice(0, maxErrorMessage);
        const errorStack = body.errorStack?.slice(0, maxErrorStack);
        const before = dropped > 0 ? { dropped } : {};
        dropped = 0;
        log.warn(
          { reqId: request.id, userId: actor.id, errorMessage, errorStack, ...before },
          'UI error',
        );
        return undefined;
      },

      checkLicense: () => ({ isValid: true, message: '' }),

      getScimSettings: () => ({
        enabled: false,
        hasToken: false,
        assumeControlOfExisting: false,
      }),

      listBanners: () => ({ banners: [] }),
      listNotifications: () => [],
    };
  },
});
