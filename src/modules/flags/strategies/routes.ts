import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../platform/db/database.ts';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { environmentAnswer, featureAnswer, getFeature, strategyAnswer } from '../features/index.ts';
import { strategyContract } from './contract/strategies.ts';
import { switchContract } from './contract/switches.ts';
import { addStrategy } from './service/add.ts';
import { patchStrategy, replaceStrategy, setSegments } from './service/change.ts';
import { orderStrategies } from './service/order.ts';
import type { Address } from './service/place.ts';
import {
  getFeatureEnvironment,
  getFeatureStrategy,
  listFeatureStrategies,
} from './service/read.ts';
import { removeStrategy } from './service/remove.ts';
import { switchMany, switchOne } from './service/switch.ts';

export function strategyRoutes(app: FastifyInstance, services: Services): void {
  routeStrategies(app, services);
  routeSwitches(app, services);
}

const addressOf = (params: {
  projectId: string;
  featureName: string;
  environment: string;
}): Address => ({
  project: params.projectId,
  featureName: params.featureName,
  environment: params.environment,
});

function routeStrategies(app: FastifyInstance, { db, transact }: Services): void {
  const contract = strategyContract;

  route(app, contract.listFeatureStrategies, async ({ params }) =>
    (await listFeatureStrategies(db, addressOf(params))).map(strategyAnswer),
  );

  route(app, contract.addFeatureStrategy, ({ params, body }, { actor }) =>
    transact(actor, async (tx) => strategyAnswer(await addStrategy(tx, addressOf(params), body))),
  );

  route(app, contract.setStrategySortOrder, ({ params, body }, { actor }) =>
    transact(actor, (tx) => orderStrategies(tx, addressOf(params), body)),
  );

  route(app, contract.getFeatureStrategy, async ({ params }) =>
    strategyAnswer(await getFeatureStrategy(db, addressOf(params), params.strategyId)),
  );

  route(app, contract.updateFeatureStrategy, ({ params, body }, { actor }) =>
    transact(actor, async (tx) =>
      strategyAnswer(await replaceStrategy(tx, addressOf(params), params.strategyId, body)),
    ),
  );

  route(app, contract.patchFeatureStrategy, ({ params, body }, { actor }) =>
    transact(actor, async (tx) =>
      strategyAnswer(await patchStrategy(tx, addressOf(params), params.strategyId, body)),
    ),
  );

  route(app, contract.deleteFeatureStrategy, ({ params }, { actor }) =>
    transact(actor, (tx) => removeStrategy(tx, addressOf(params), params.strategyId)),
  );

  route(app, contract.setStrategySegments, async ({ body }, { actor }) => {
    await transact(actor, (tx) => setSegments(tx, body));
    return body;
  });
}

function routeSwitches(app: FastifyInstance, services: Services): void {
  const { readSnapshot, transact, settings } = services;
  const contract = switchContract;

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
