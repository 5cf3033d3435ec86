import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { addressOf } from '../address-schema.ts';
import { lifecycleContract as contract } from './contract.ts';
import { completeFeature, countStagesFor, getLifecycle, uncompleteFeature } from './service.ts';

export function lifecycleRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, contract.getLifecycle, ({ params }) => getLifecycle(db, addressOf(params)));

  route(app, contract.completeFeature, ({ params, body }, { actor }) =>
    transact(actor, (tx) => completeFeature(tx, addressOf(params), body)),
  );

  route(app, contract.uncompleteFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => uncompleteFeature(tx, addressOf(params))),
  );

  route(app, contract.countStages, (_input, { actor }) => countStagesFor(db, actor));
}
