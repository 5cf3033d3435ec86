import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  getStrategyTypeFor,
  listStrategyTypesFor,
  listStrategyTypeUsesFor,
  reactivateStrategyType,
  removeStrategyType,
} from './service.ts';

export function strategyTypeRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, endpoints.listStrategyTypes, async (_input, { actor }) => ({
    version: 1,
    strategies: await listStrategyTypesFor(db, actor),
  }));

  route(app, endpoints.getStrategyType, ({ params }, { actor }) =>
    getStrategyTypeFor(db, actor, params.strategyName),
  );

  route(app, endpoints.listStrategyTypeUses, ({ params }, { actor }) =>
    listStrategyTypeUsesFor(db, actor, params.strategyName),
  );

  route(app, endpoints.createStrategyType, ({ body }, { actor }) =>
    transact(actor, (tx) => createStrategyType(tx, body)),
  );

  route(app, endpoints.updateStrategyType, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeStrategyType(tx, params.strategyName, body)),
  );

  route(app, endpoints.deleteStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => removeStrategyType(tx, params.strategyName)),
  );

  route(app, endpoints.deprecateStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => deprecateStrategyType(tx, params.strategyName)),
  );

  route(app, endpoints.reactivateStrategyType, ({ params }, { actor }) =>
    transact(actor, (tx) => reactivateStrategyType(tx, params.strategyName)),
  );
}
