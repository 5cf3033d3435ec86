import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { contract } from './contract/strategy-type.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  getStrategyType,
  listAll,
  reactivateStrategyType,
  removeStrategyType,
} from './service.ts';

export function strategyTypeRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.listStrategyTypes, async () => ({
    version: 1,
    strategies: await listAll(db),
  }));

  route(app, contract.getStrategyType, ({ params }) => getStrategyType(db, params.strategyName));

  route(app, contract.createStrategyType, ({ body }, { actor }) =>
    transact(actor, (tx) => createStrategyType(tx, body)),
  );

  route(app, contract.updateStrategyType, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeStrategyType(tx, params.strategyName, body)),
  );

  route(app, contract.deleteStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => removeStrategyType(tx, params.strategyName)),
  );

  route(app, contract.deprecateStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => deprecateStrategyType(tx, params.strategyName)),
  );

  route(app, contract.reactivateStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => reactivateStrategyType(tx, params.strategyName)),
  );
}
