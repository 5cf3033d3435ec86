import { defineUseCase } from '../../../../platform/module.ts';
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

export const tagTypeUseCase = defineUseCase({
  contract: tagTypeContract,
  routes: ({ db, readAt, transact }) => ({
    listTagTypes: async ({ query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, tagTypes: await listTagTypesFor(at.db, actor) };
    },

    getTagType: async ({ params, query }, { actor }) => {
      const at = await readAt(db, actor, query.asOf);
      return { version, tagType: await getTagType(at.db, params.name) };
    },

    listTagTypeUses: ({ params }, { actor }) => listTagTypeUsesFor(db, actor, params.name),
    createTagType: ({ body }, { actor }) => transact(actor, (tx) => createTagType(tx, body)),

    validateTagType: async ({ body }) => ({
      valid: true,
      tagType: await validateTagType(db, body),
    }),

    updateTagType: ({ params, body }, { actor }) =>
      transact(actor, (tx) => changeTagType(tx, params.name, body)),
    deleteTagType: ({ params }, { actor }) =>
      transact(actor, (tx) => removeTagType(tx, params.name)),
  }),
});
