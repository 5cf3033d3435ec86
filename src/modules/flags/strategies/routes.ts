import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { strategyAnswer } from '../features/index.ts';
import { strategyEndpoints as contract } from './checks.ts';
import { addStrategy } from './service/add.ts';
import { patchStrategy, replaceStrategy, setSegments } from './service/change.ts';
import { orderStrategies } from './service/order.ts';
import type { Address } from './service/place.ts';
import { getFeatureStrategy, listFeatureStrategies } from './service/read.ts';
import { removeStrategy } from './service/remove.ts';

const addressOf = (params: {
  projectId: string;
  featureName: string;
  environment: string;
}): Address => ({
  project: params.projectId,
  featureName: params.featureName,
  environment: params.environment,
});

export function strategyRoutes(app: FastifyInstance, { db, transact }: Services): void {
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
