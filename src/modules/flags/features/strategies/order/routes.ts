import type { FastifyInstance } from 'fastify';
import { route } from '../../../../../platform/http/route.ts';
import type { Services } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { endpoints } from './checks.ts';
import { orderStrategies } from './service.ts';

export function orderStrategyRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, endpoints.setStrategySortOrder, ({ params, body }, { actor }) =>
    transact(actor, (tx) => orderStrategies(tx, environmentAddressOf(params), body)),
  );
}
