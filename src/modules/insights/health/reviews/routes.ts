import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { reviewEndpoints } from './checks.ts';
import { getReview, removeReview, removeReviews, setReview, setReviews } from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export function reviewRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, reviewEndpoints.getReview, ({ params }) => getReview(db, addressOf(params)));

  route(app, reviewEndpoints.putReview, ({ params, body }, { actor }) =>
    transact(actor, (tx) => setReview(tx, addressOf(params), body)),
  );

  route(app, reviewEndpoints.putReviews, async ({ params, body }, { actor }) => {
    const { features, ...review } = body;
    return {
      features: await transact(actor, (tx) => setReviews(tx, params.projectId, features, review)),
    };
  });

  route(app, reviewEndpoints.deleteReviews, async ({ params, body }, { actor }) => ({
    features: await transact(actor, (tx) => removeReviews(tx, params.projectId, body.features)),
  }));

  route(app, reviewEndpoints.deleteReview, ({ params }, { actor }) =>
    transact(actor, (tx) => removeReview(tx, addressOf(params))),
  );
}
