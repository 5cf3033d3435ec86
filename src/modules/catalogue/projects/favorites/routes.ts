import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { favoriteContract } from './contract.ts';
import { addFavorite, removeFavorite } from './service.ts';

export function favoriteRoutes(app: FastifyInstance, { transact }: Services): void {
  route(app, favoriteContract.addFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => addFavorite(tx, params.projectId)),
  );

  route(app, favoriteContract.removeFavorite, ({ params }, { actor }) =>
    transact(actor, (tx) => removeFavorite(tx, params.projectId)),
  );
}
