import type { FastifyInstance } from 'fastify';
import { route } from '../../../../platform/http/route.ts';
import type { Services } from '../../../../platform/module.ts';
import { tagTypeContract } from './contract.ts';
import {
  changeTagType,
  createTagType,
  getTagType,
  listTagTypesFor,
  listTagTypeUsesFor,
  removeTagType,
  validateTagType,
} from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export function tagTypeRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, tagTypeContract.listTagTypes, async (_input, { actor }) => ({
    version,
    tagTypes: await listTagTypesFor(db, actor),
  }));

  route(app, tagTypeContract.getTagType, async ({ params }) => ({
    version,
    tagType: await getTagType(db, params.name),
  }));

  route(app, tagTypeContract.listTagTypeUses, ({ params }, { actor }) =>
    listTagTypeUsesFor(db, actor, params.name),
  );

  route(app, tagTypeContract.createTagType, ({ body }, { actor }) =>
    transact(actor, (tx) => createTagType(tx, body)),
  );

  route(app, tagTypeContract.validateTagType, async ({ body }) => ({
    valid: true,
    tagType: await validateTagType(db, body),
  }));

  route(app, tagTypeContract.updateTagType, ({ params, body }, { actor }) =>
    transact(actor, (tx) => changeTagType(tx, params.name, body)),
  );

  route(app, tagTypeContract.deleteTagType, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTagType(tx, params.name)),
  );
}
