import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { reviewEndpoints } from './checks.ts';
import { getReview, removeReview, setReview } from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export function reviewRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, reviewEndpoints.getReview, ({ params }) => getReview(db, addressOf(params)));

  route(app, reviewEndpoints.putReview, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setReview(tx, addressOf(params), body)),
  );

  route(app, reviewEndpoints.deleteReview, ({ params }, { actor }) =>
    transact(actor, (tx) => removeReview(tx, addressOf(params))),
  );
}
