import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Actor } from '../../../platform/db/database.ts';
import { route } from '../../../platform/http/endpoint.ts';
import type { Services } from '../../../platform/module.ts';
import { featureAnswer } from './answers.ts';
import { archiveContract } from './contract/archive.ts';
import { featureContract } from './contract/core.ts';
import { searchContract } from './contract/search.ts';
import { listCreators } from './queries/list.ts';
import { parseFeatureSearch } from './search-filter.ts';
import {
  archiveFeature,
  archiveFeatures,
  deleteFeature,
  deleteFeaturesInBulk,
  foreseeArchiving,
  reviveFeature,
  reviveFeatures,
} from './service/archive.ts';
import { changeFeature, markStale, patchFeature } from './service/change.ts';
import { validateName } from './service/create.ts';
import { getFeature, listArchivedFeatures, listFeatures, searchFeatures } from './service/read.ts';

/** Features that are JSON already, with what else there is to say. */
const sendFeatures = (reply: FastifyReply, features: string, rest: object) =>
  reply
    .header('content-type', 'application/json; charset=utf-8')
    .send(`{"features":[${features}],${JSON.stringify(rest).slice(1)}`);

/** The shape of the lists, as clients of the reference product expect it. */
const listed = { version: 2 };

export function routeFeatures(app: FastifyInstance, services: Services): void {
  const { db, searchDb, transact, settings } = services;
  const contract = featureContract;
  const viewerOf = (actor: Actor) => ({ actor, baseUrl: settings.baseUrl });

  route(app, contract.listFeatures, async ({ params }, { actor, reply }) =>
    sendFeatures(reply, await listFeatures(db, viewerOf(actor), params.projectId), listed),
  );

  route(app, contract.getFeature, ({ params: { projectId, featureName }, query }, { actor }) => {
    const states = query.archived === 'true' ? 'any' : 'living';
    return getFeature(db, viewerOf(actor), projectId, featureName, states).then(featureAnswer);
  });

  route(app, contract.updateFeature, ({ params, body }, { actor }) =>
    transact(actor, async (tx) => {
      const { projectId: project, featureName: feature } = params;
      await changeFeature(tx, { project, feature }, body);
      return featureAnswer(await getFeature(tx.db, viewerOf(actor), project, feature, 'any'));
    }),
  );

  route(app, contract.patchFeature, ({ params, body }, { actor }) =>
    transact(actor, async (tx) => {
      const { projectId: project, featureName: feature } = params;
      await patchFeature(tx, { project, feature }, body);
      return featureAnswer(await getFeature(tx.db, viewerOf(actor), project, feature));
    }),
  );

  route(app, contract.validateFeature, ({ body }, { actor }) => validateName(db, actor, body));

  route(app, contract.listFlagCreators, ({ params }) => listCreators(db, params.projectId));

  route(app, searchContract.searchFeatures, async ({ query }, { actor, reply }) => {
    const search = parseFeatureSearch(query);
    const viewer = viewerOf(actor);
    const { features, total } = await searchFeatures(searchDb, viewer, search, services.clock());
    return sendFeatures(reply, features, { total });
  });
}

export function routeArchive(app: FastifyInstance, services: Services): void {
  const { db, searchDb, transact, settings } = services;
  const contract = archiveContract;
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
    foreseeArchiving(db, params.projectId, body.features),
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
    sendFeatures(reply, await listArchivedFeatures(searchDb, viewerOf(actor)), listed),
  );

  route(app, contract.listArchivedOf, async ({ params: { projectId } }, { actor, reply }) =>
    sendFeatures(reply, await listArchivedFeatures(searchDb, viewerOf(actor), projectId), listed),
  );
}
