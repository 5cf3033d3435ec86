import type { Actor } from '../../../../platform/actor.ts';
import { defineUseCase } from '../../../../platform/module.ts';
import { type EnvironmentAddress, environmentAddressOf } from '../address-schema.ts';
import { presentEnvironment, presentFeature } from '../present.ts';
import { getFeature } from '../read/service.ts';
import { contract } from './contract.ts';
import { getFeatureEnvironment } from './read.ts';
import { switchMany, switchOne } from './switch.ts';

export const featureEnvironmentUseCase = defineUseCase({
  contract,
  routes: (services) => {
    const { readAt, transact, settings } = services;

    /** Switches one feature, and answers with it. */
    const answer = (
      actor: Actor,
      address: EnvironmentAddress,
      options: Parameters<typeof switchOne>[2],
    ) =>
      transact(actor, async (tx) => {
        await switchOne(tx, address, options);
        const viewer = { actor, baseUrl: settings.baseUrl, now: tx.now };
        return presentFeature(
          await getFeature(tx.db, viewer, address.project, address.featureName),
        );
      });

    return {
      getFeatureEnvironment: async ({ params, query }, { actor }) => {
        const { readSnapshot } = await readAt(services.db, actor, query.asOf);
        return readSnapshot(async (db) =>
          presentEnvironment(await getFeatureEnvironment(db, environmentAddressOf(params))),
        );
      },

      switchFeatureOn: ({ params, query }, { actor }) => {
        const activateDisabled = query.shouldActivateDisabledStrategies === 'true';
        return answer(actor, environmentAddressOf(params), { enabled: true, activateDisabled });
      },

      switchFeatureOff: ({ params }, { actor }) =>
        answer(actor, environmentAddressOf(params), { enabled: false }),

      switchFeaturesOn: ({ params, query, body }, { actor }) => {
        const { projectId: project, environment } = params;
        const activateDisabled = query.shouldActivateDisabledStrategies === 'true';
        return transact(actor, (tx) =>
          switchMany(tx, { project, environment }, body.features, {
            enabled: true,
            activateDisabled,
          }),
        );
      },

      switchFeaturesOff: ({ params, body }, { actor }) => {
        const { projectId: project, environment } = params;
        return transact(actor, (tx) =>
          switchMany(tx, { project, environment }, body.features, { enabled: false }),
        );
      },
    };
  },
});
