import { defineUseCase } from '../../../platform/module.ts';
import { tagContract } from './contract.ts';
import { createTag, getTag, listAllTags, listTagsOf, removeTag } from './service.ts';

/** The version of the response format that clients of the reference expect. */
const version = 1;

export const tagUseCase = defineUseCase({
  contract: tagContract,
  routes: ({ db, readAt, transact }) => ({
    listTags: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, tags: await listAllTags(at.db, actor) };
    },

    listTagsOfType: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, tags: await listTagsOf(at.db, actor, params.type) };
    },

    getTag: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, tag: await getTag(at.db, actor, params) };
    },

    createTag: async ({ body }, { actor }) => ({
      version,
      tag: await transact(actor, (tx) => createTag(tx, body)),
    }),

    deleteTag: ({ params }, { actor }) => transact(actor, (tx) => removeTag(tx, params)),
  }),
});
