import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { TagSchema, TagsSchema } from '../tag-schema.ts';

const tag = 'Tags';
const path = '/api/admin/features/:featureName/tags';
const permission = 'UPDATE_FEATURE';
const scopeOf = 'featureName';

const tags = Type.Optional(Type.Array(TagSchema, { maxItems: 100 }));

const TagsChangeSchema = named(
  'updateTagsSchema',
  Type.Object({ addedTags: tags, removedTags: tags }),
);
export type TagsChange = Static<typeof TagsChangeSchema>;

const params = Type.Object({ featureName: Type.String() });

export const featureTagContract = {
  listFeatureTags: endpoint({
    method: 'GET',
    path,
    id: 'listTags',
    tag,
    summary: 'List the tags of a feature',
    permission: 'none',
    scopeOf,
    params,
    response: TagsSchema,
  }),

  addFeatureTag: endpoint({
    method: 'POST',
    path,
    id: 'addTag',
    tag,
    summary: 'Add a tag to a feature',
    description: 'A tag that does not exist yet is created.',
    permission,
    scopeOf,
    params,
    body: TagSchema,
    response: TagSchema,
    status: 201,
  }),

  changeFeatureTags: endpoint({
    method: 'PUT',
    path,
    id: 'updateTags',
    tag,
    summary: 'Add and remove tags of a feature',
    description: 'Tags that the feature already has, or does not have, are ignored.',
    permission,
    scopeOf,
    params,
    body: TagsChangeSchema,
    response: TagsSchema,
  }),

  removeFeatureTag: endpoint({
    method: 'DELETE',
    path: `${path}/:type/:value`,
    id: 'removeTag',
    tag,
    summary: 'Remove a tag from a feature',
    permission,
    scopeOf,
    params: Type.Object({
      featureName: Type.String(),
      type: Type.String(),
      value: Type.String(),
    }),
  }),

  changeTagsInBulk: endpoint({
    method: 'PUT',
    path: '/api/admin/projects/:projectId/tags',
    id: 'addTagToFeatures',
    tag,
    summary: 'Add and remove tags of several features',
    description: 'All or nothing. Tags that a feature already has, or does not have, are ignored.',
    permission,
    scope: 'projectId',
    params: Type.Object({ projectId: Type.String() }),
    body: named(
      'tagsBulkAddSchema',
      Type.Object({
        features: Type.Array(Type.String(), { maxItems: 1000, description: 'Names of features' }),
        tags: TagsChangeSchema,
      }),
    ),
  }),
};
