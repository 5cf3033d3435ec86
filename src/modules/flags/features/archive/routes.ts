import type { Actor } from '../../../../platform/actor.ts';
import { defineUseCase } from '../../../../platform/module.ts';
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

export const archiveUseCase = defineUseCase({
  contract,
  routes: (services) => {
    const { db, searchDb, readAt, transact, settings } = services;
    const viewerOf = (actor: Actor) => ({ actor, baseUrl: settings.baseUrl });

    return {
      archiveFeature: ({ params: { projectId, featureName } }, { actor }) =>
        transact(actor, (tx) => archiveFeature(tx, projectId, featureName)),
      archiveFeatures: ({ params, body }, { actor }) =>
        transact(actor, (tx) => archiveFeatures(tx, params.projectId, body.features)),
      validateArchive: ({ params, body }) => previewArchiving(db, params.projectId, body.features),
      reviveFeatures: ({ params, body }, { actor }) =>
        transact(actor, (tx) => reviveFeatures(tx, params.projectId, body.features)),
      deleteFeatures: ({ params, body }, { actor }) =>
        transact(actor, (tx) => deleteFeaturesInBulk(tx, params.projectId, body.features)),
      reviveFeature: ({ params }, { actor }) =>
        transact(actor, (tx) => reviveFeature(tx, params.featureName)),
      deleteFeature: ({ params }, { actor }) =>
        transact(actor, (tx) => deleteFeature(tx, params.featureName)),

      listArchived: async ({ query }, { actor, reply }) => {
        const at = await readAt(searchDb, actor, query.asOf);
        return sendFeatures(reply, listArchivedFeatures(at.db, viewerOf(actor)));
      },

      listArchivedOf: async ({ params: { projectId }, query }, { actor, reply }) => {
        const at = await readAt(searchDb, actor, query.asOf);
        return sendFeatures(reply, listArchivedFeatures(at.db, viewerOf(actor), projectId));
      },
    };
  },
});
