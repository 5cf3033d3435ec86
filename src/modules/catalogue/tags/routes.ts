import { defineUseCase } from '../../../platform/module.ts';
import { tagContract } from './contract.ts';
import { createTag, getTag, listAllTags, listTagsOf, removeTag } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const tagUseCase = defineUseCase({
  contract: tagContract,
  routes: ({ db, transact }) => ({
    listTags: async (_input, { actor }) => ({
      version,
      tags: await listAllTags(db, actor),
    }),

    listTagsOfType: async ({ params }, { actor }) => ({
      version,
      tags: await listTagsOf(db, actor, params.type),
    }),

    getTag: async ({ params }, { actor }) => ({
      version,
      tag: await getTag(db, actor, params),
    }),

    createTag: async ({ body }, { actor }) => ({
      version,
      tag: await transact(actor, (tx) => createTag(tx, body)),
    }),

    deleteTag: ({ params }, { actor }) => transact(actor, (tx) => removeTag(tx, params)),
  }),
});
