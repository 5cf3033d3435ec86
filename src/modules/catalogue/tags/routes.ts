import type { FastifyInstance } from 'fastify';
import { route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/module.ts';
import { tagContract } from './contract.ts';
import { createTag, getTag, listAllTags, listTagsOf, removeTag } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export function tagRoutes(app: FastifyInstance, { db, transact }: Services): void {
  route(app, tagContract.listTags, async (_input, { actor }) => ({
    version,
    tags: await listAllTags(db, actor),
  }));

  route(app, tagContract.listTagsOfType, async ({ params }, { actor }) => ({
    version,
    tags: await listTagsOf(db, actor, params.type),
  }));

  route(app, tagContract.getTag, async ({ params }, { actor }) => ({
    version,
    tag: await getTag(db, actor, params),
  }));

  route(app, tagContract.createTag, async ({ body }, { actor }) => ({
    version,
    tag: await transact(actor, (tx) => createTag(tx, body)),
  }));

  route(app, tagContract.deleteTag, ({ params }, { actor }) =>
    transact(actor, (tx) => removeTag(tx, params)),
  );
}
