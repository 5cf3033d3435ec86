import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { favoriteContract as contract } from './contract.ts';
import { addFavorite, removeFavorite } from './service.ts';

export function favoriteRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, contract.addFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => addFavorite(tx, params.projectId, params.featureName)),
  );

  route(app, contract.removeFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => removeFavorite(tx, params.projectId, params.featureName)),
  );
}
