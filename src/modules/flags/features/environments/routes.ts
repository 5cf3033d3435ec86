import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../../platform/db/database.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import type { Address } from '../../strategies/index.ts';
import { environmentAnswer, featureAnswer, getFeature } from '../index.ts';
import { contract } from './contract.ts';
import { getFeatureEnvironment } from './read.ts';
import { switchMany, switchOne } from './switch.ts';

const addressOf = (params: {
  projectId: string;
  featureName: string;
  environment: string;
}): Address => ({
  project: params.projectId,
  featureName: params.featureName,
  environment: params.environment,
});

export function featureEnvironmentRoutes(app: FastifyInstance, services: Services): void {
  const { readSnapshot, transact, settings } = services;

  /** Switches one feature, and tells what it is then. */
  const answer = (actor: Actor, address: Address, switching: Parameters<typeof switchOne>[2]) =>
    transact(actor, async (tx) => {
      await switchOne(tx, address, switching);
      const viewer = { actor, baseUrl: settings.baseUrl };
      return featureAnswer(await getFeature(tx.db, viewer, address.project, address.featureName));
    });

  route(app, contract.getFeatureEnvironment, ({ params }) =>
    readSnapshot(async (db) =>
      environmentAnswer(await getFeatureEnvironment(db, addressOf(params))),
    ),
  );

  route(app, contract.switchFeatureOn, ({ params, query }, { actor }) => {
    const activateDisabled = query.shouldActivateDisabledStrategies === 'true';
    return answer(actor, addressOf(params), { enabled: true, activateDisabled });
  });

  route(app, contract.switchFeatureOff, ({ params }, { actor }) =>
    answer(actor, addressOf(params), { enabled: false }),
  );

  route(app, contract.switchFeaturesOn, ({ params, query, body }, { actor }) => {
    const { projectId: project, environment } = params;
    const activateDisabled = query.shouldActivateDisabledStrategies === 'true';
    return transact(actor, (tx) =>
      switchMany(tx, { project, environment }, body.features, { enabled: true, activateDisabled }),
    );
  });

  route(app, contract.switchFeaturesOff, ({ params, body }, { actor }) => {
    const { projectId: project, environment } = params;
    return transact(actor, (tx) =>
      switchMany(tx, { project, environment }, body.features, { enabled: false }),
    );
  });
}
