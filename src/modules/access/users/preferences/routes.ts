import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { preferenceContract } from './contract.ts';
import { markSplashSeen, setFeedback } from './service.ts';

export function preferenceRoutes(app: FastifyInstance, { transact }: Services): void {
  const contract = preferenceContract;

  route(app, contract.giveFeedback, ({ body }, { actor }) =>
    transact(actor, (tx) => setFeedback(tx, body.feedbackId, body.neverShow)),
  );

  route(app, contract.changeFeedback, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setFeedback(tx, params.id, body.neverShow)),
  );

  route(app, contract.seeSplash, ({ params }, { actor }) =>
    transact(actor, (tx) => markSplashSeen(tx, params.id)),
  );
}
