import type { FastifyInstance } from 'fastify';
import { route } from '../../../../../platform/http/route.ts';
import type { Services } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { contract } from './contract.ts';
import { getFeatureStrategy, listFeatureStrategies } from './service.ts';

export function readStrategyRoutes(app: FastifyInstance, { db }: Services): void {
  route(app, contract.listFeatureStrategies, async ({ params }) =>
    (await listFeatureStrategies(db, environmentAddressOf(params))).map(presentStrategy),
  );

  route(app, contract.getFeatureStrategy, async ({ params }) =>
    presentStrategy(await getFeatureStrategy(db, environmentAddressOf(params), params.strategyId)),
  );
}
