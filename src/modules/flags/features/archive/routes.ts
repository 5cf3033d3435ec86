import type { FastifyInstance } from 'fastify';
import type { Actor } from '../../../../platform/actor.ts';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { markStale } from '../change/service.ts';
import { listArchivedFeatures } from '../read/service.ts';
import { sendFeatures } from '../send-features.ts';
import { archiveContract as contract } from './contract.ts';
import {
  archiveFeature,
  archiveFeatures,
  deleteFeature,
  deleteFeaturesInBulk,
  previewArchiving,
  reviveFeature,
  reviveFeatures,
} from './service.ts';

export function archiveRoutes(app: FastifyInstance, services: Services): void {
  const { db, searchDb, transact, settings } = services;
  const viewerOf = (actor: Actor) => ({ actor, baseUrl: settings.baseUrl });

  route(app, contract.markStale, ({ params, body }, { actor }) =>
    transact(actor, (tx) => markStale(tx, params.projectId, body)),
  );

  route(app, contract.archiveFeature, ({ params: { projectId, featureName } }, { actor }) =>
    transact(actor, (tx) => archiveFeature(tx, projectId, featureName)),
  );

  route(app, contract.archiveFeatures, ({ params, body }, { actor }) =>
    transact(actor, (tx) => archiveFeatures(tx, params.projectId, body.features)),
  );

  route(app, contract.validateArchive, ({ params, body }) =>
    previewArchiving(db, params.projectId, body.features),
  );

  route(app, contract.reviveFeatures, ({ params, body }, { actor }) =>
    transact(actor, (tx) => reviveFeatures(tx, params.projectId, body.features)),
  );

  route(app, contract.deleteFeatures, ({ params, body }, { actor }) =>
    transact(actor, (tx) => deleteFeaturesInBulk(tx, params.projectId, body.features)),
  );

  route(app, contract.reviveFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => reviveFeature(tx, params.featureName)),
  );

  route(app, contract.deleteFeature, ({ params }, { actor }) =>
    transact(actor, (tx) => deleteFeature(tx, params.featureName)),
  );

  route(app, contract.listArchived, async (_input, { actor, reply }) =>
    sendFeatures(reply, listArchivedFeatures(searchDb, viewerOf(actor))),
  );

  route(app, contract.listArchivedOf, async ({ params: { projectId } }, { actor, reply }) =>
    sendFeatures(reply, listArchivedFeatures(searchDb, viewerOf(actor), projectId)),
  );
}
