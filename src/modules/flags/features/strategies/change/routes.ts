import type { FastifyInstance } from 'fastify';
import { route } from '../../../../../platform/http/route.ts';
import type { Services } from '../../../../../platform/module.ts';
import { environmentAddressOf } from '../../address-schema.ts';
import { presentStrategy } from '../../present.ts';
import { endpoints } from './checks.ts';
import { patchStrategy, replaceStrategy, setSegments } from './service.ts';

export function changeStrategyRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, endpoints.updateFeatureStrategy, ({ params, body }, { actor }) => {
    const address = environmentAddressOf(params);
    return transact(actor, async (tx) =>
      presentStrategy(await replaceStrategy(tx, address, params.strategyId, body)),
    );
  });

  route(app, endpoints.patchFeatureStrategy, ({ params, body }, { actor }) => {
    const address = environmentAddressOf(params);
    return transact(actor, async (tx) =>
      presentStrategy(await patchStrategy(tx, address, params.strategyId, body)),
    );
  });

  route(app, endpoints.setStrategySegments, async ({ body }, { actor }) => {
    await transact(actor, (tx) => setSegments(tx, body));
    return body;
  });
}
