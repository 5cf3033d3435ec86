import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { reviewContract } from './contract.ts';
import { getReview, removeReview, setReview } from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export function reviewRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, reviewContract.getReview, ({ params }) => getReview(db, addressOf(params)));

  route(app, reviewContract.putReview, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setReview(tx, addressOf(params), body)),
  );

  route(app, reviewContract.deleteReview, ({ params }, { actor }) =>
    transact(actor, (tx) => removeReview(tx, addressOf(params))),
  );
}
