import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { followContract as contract } from './contract.ts';
import {
  followFeature,
  followProject,
  listFollows,
  unfollowFeature,
  unfollowProject,
} from './service.ts';

const addressOf = (params: { readonly projectId: string; readonly featureName: string }) => ({
  project: params.projectId,
  feature: params.featureName,
});

export function followRoutes(app: FastifyInstance, { db, transact, mailer }: Services): void {
  route(app, contract.listFollows, (_input, { actor }) => listFollows(db, actor, mailer));

  route(app, contract.followProject, ({ params }, { actor }) =>
    transact(actor, (tx) => followProject(tx, params.projectId)),
  );

  route(app, contract.unfollowProject, ({ params }, { actor }) =>
    transact(actor, (tx) => unfollowProject(tx, params.projectId)),
  );

  route(app, contract.followFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => followFeature(tx, addressOf(params))),
  );

  route(app, contract.unfollowFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => unfollowFeature(tx, addressOf(params))),
  );
}
