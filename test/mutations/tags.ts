import type { TestApp } from '../support/app.ts';
import { make } from '../support/make.ts';
import type { Mutations } from './mutations.ts';

type Ask = TestApp['ask'];

const admin = '/api/admin';

const createType = (ask: Ask, name: string) =>
  ask(`POST ${admin}/tag-types`, { payload: { name } });
const createTag = (ask: Ask, value: string) =>
  ask(`POST ${admin}/tags`, { payload: { type: 'simple', value } });

/** A new feature with a tag. */
async function tagged(ask: Ask, feature: string, value: string) {
  await make(ask).feature(feature);
  return ask(`POST ${admin}/features/${feature}/tags`, { payload: { type: 'simple', value } });
}

export const tagMutations: Mutations = {
  scenarios: {
    createTagType: (ask) => createType(ask, 'created-tag-type'),
    updateTagType: async (ask) => {
      await createType(ask, 'tag-type-to-change');
      return ask(`PUT ${admin}/tag-types/tag-type-to-change`, { payload: { icon: 'S' } });
    },
    deleteTagType: async (ask) => {
      await createType(ask, 'tag-type-to-remove');
      return ask(`DELETE ${admin}/tag-types/tag-type-to-remove`);
    },
    createTag: (ask) => createTag(ask, 'created'),
    deleteTag: async (ask) => {
      await createTag(ask, 'to-remove');
      return ask(`DELETE ${admin}/tags/simple/to-remove`);
    },
    addTag: (ask) => tagged(ask, 'tags-one', 'first'),
    updateTags: async (ask) => {
      await make(ask).feature('tags-several');
      return ask(`PUT ${admin}/features/tags-several/tags`, {
        payload: { addedTags: [{ type: 'simple', value: 'second' }], removedTags: [] },
      });
    },
    removeTag: async (ask) => {
      await tagged(ask, 'tags-none', 'third');
      return ask(`DELETE ${admin}/features/tags-none/tags/simple/third`);
    },
    addTagToFeatures: async (ask) => {
      await make(ask).feature('tags-bulk');
      const tags = { addedTags: [{ type: 'simple', value: 'fourth' }], removedTags: [] };
      return ask(`PUT ${admin}/projects/default/tags`, {
        payload: { features: ['tags-bulk'], tags },
      });
    },
  },

  conflicts: {
    createTagType: (ask) => createType(ask, 'simple'),
    validateTagType: (ask) =>
      ask(`POST ${admin}/tag-types/validate`, { payload: { name: 'simple' } }),
    createTag: async (ask) => {
      await createTag(ask, 'twice');
      return createTag(ask, 'twice');
    },
  },

  changesNothing: {
    validateTagType: 'only says whether a name could be used',
  },
};
