import type { FastifyInstance } from 'fastify';
import { route } from '../../../../../platform/http/route.ts';
import type { Services } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { endpoints } from './checks.ts';
import { addStrategy } from './service.ts';

export function addStrategyRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, endpoints.addFeatureStrategy, ({ params, body }, { actor }) =>
    transact(actor, async (tx) =>
      presentStrategy(await addStrategy(tx, environmentAddressOf(params), body)),
    ),
  );
}
