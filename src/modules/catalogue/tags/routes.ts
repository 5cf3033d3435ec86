import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { featureTagEndpoints } from './checks.ts';
import { tagContract } from './contract/tag.ts';
import { tagTypeContract } from './contract/tag-type.ts';
import {
  addTag,
  changeTags,
  changeTagsInBulk,
  listTagsOfFeature,
  removeFeatureTag,
} from './service/feature-tags.ts';
import { createTag, getTag, listAllTags, listTagsOf, removeTag } from './service/tag.ts';
import {
  changeTagType,
  createTagType,
  getTagType,
  listAllTypes,
  removeTagType,
  validateTagType,
} from './service/tag-type.ts';

/** The version of the answers' shape, as clients of the reference product expect it. */
const version = 1;

export function tagRoutes(app: FastifyInstance, services: Services): void {
  routeTagTypes(app, services);
  routeTags(app, services);
  routeFeatureTags(app, services);
}

function routeTagTypes(app: FastifyInstance, { db, transact }: Services): void {
  const contract = tagTypeContract;

  route(app, contract.listTagTypes, async () => ({ version, tagTypes: await listAllTypes(db) }));

  route(app, contract.getTagType, async ({ params }) => ({
    version,
    tagType: await getTagType(db, params.name),
  }));

  route(app, contract.createTagType, ({ body }, { actor }) =>
    transact(actor, (tx) => createTagType(tx, body)),
  );

  route(app, contract.validateTagType, async ({ body }) => ({
    valid: true,
    tagType: await validateTagType(db, body),
  }));

  route(app, contract.updateTagType, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeTagType(tx, params.name, body)),
  );

  route(app, contract.deleteTagType, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTagType(tx, params.name)),
  );
}

function routeTags(app: FastifyInstance, { db, transact }: Services): void {
  const contract = tagContract;

  route(app, contract.listTags, async (_input, { actor }) => ({
    version,
    tags: await listAllTags(db, actor),
  }));

  route(app, contract.listTagsOfType, async ({ params }, { actor }) => ({
    version,
    tags: await listTagsOf(db, actor, params.type),
  }));

  route(app, contract.getTag, async ({ params }, { actor }) => ({
    version,
    tag: await getTag(db, actor, params),
  }));

  route(app, contract.createTag, async ({ body }, { actor }) => ({
    version,
    tag: await transact(actor, (tx) => createTag(tx, body)),
  }));

  route(app, contract.deleteTag, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTag(tx, params)),
  );
}

function routeFeatureTags(app: FastifyInstance, { db, transact }: Services): void {
  const contract = featureTagEndpoints;

  route(app, contract.listFeatureTags, async ({ params }) => ({
    version,
    tags: await listTagsOfFeature(db, params.featureName),
  }));

  route(app, contract.addFeatureTag, ({ params, body }, { actor }) =>
    transact(actor, (tx) => addTag(tx, params.featureName, body)),
  );

  route(app, contract.changeFeatureTags, async ({ params, body }, { actor }) => ({
    version,
    tags: await transact(actor, (tx) => changeTags(tx, params.featureName, body)),
  }));

  route(app, contract.removeFeatureTag, ({ params: { featureName, ...tag } }, { actor }) =>
    transact(actor, (tx) => removeFeatureTag(tx, featureName, tag)),
  );

  route(app, contract.changeTagsInBulk, ({ params, body: { features, tags } }, { actor }) =>
    transact(actor, (tx) => changeTagsInBulk(tx, params.projectId, features, tags)),
  );
}
