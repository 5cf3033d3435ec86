import type { FastifyInstance } from 'fastify';
import { route } from '../../../../../platform/http/route.ts';
import type { Services } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { contract } from './contract.ts';
import { removeStrategy } from './service.ts';

export function removeStrategyRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, contract.deleteFeatureStrategy, ({ params }, { actor }) =>
    transact(actor, (tx) => removeStrategy(tx, environmentAddressOf(params), params.strategyId)),
  );
}
