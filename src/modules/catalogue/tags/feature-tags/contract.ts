import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { TagSchema, TagsSchema } from '../contract.ts';

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
    summary: 'The tags of a feature, by type and value',
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
    summary: 'Tag a feature',
    description: 'A value that its type does not have yet is created.',
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
    summary: 'Add and remove several tags of a feature',
    description: 'What it has already, or has not, is left as it is.',
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
    summary: 'Take a tag off a feature',
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
    summary: 'Add and remove tags of several features of a project',
    description: 'All or nothing. What a feature has already, or has not, is left as it is.',
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
