import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { atMoment, named } from '../../../platform/contract/schema.ts';
import { featureTagContract } from './feature-tags/contract.ts';
import { TagSchema, TagsSchema } from './tag-schema.ts';
import { tagTypeContract } from './tag-types/contract.ts';

const tag = 'Tags';
const path = '/api/admin/tags';

const OneTagSchema = named(
  'tagWithVersionSchema',
  Type.Object({ version: Type.Integer(), tag: TagSchema }),
);

const params = Type.Object({ type: Type.String(), value: Type.String() });

export const tagContract = {
  listTags: endpoint({
    method: 'GET',
    path,
    id: 'getTags',
    tag,
    summary: 'List tags by type and value',
    permission: 'none',
    query: atMoment,
    response: TagsSchema,
  }),

  listTagsOfType: endpoint({
    method: 'GET',
    path: `${path}/:type`,
    id: 'getTagsByType',
    tag,
    summary: 'List the tags of a type',
    permission: 'none',
    params: Type.Object({ type: Type.String() }),
    query: atMoment,
    response: TagsSchema,
  }),

  getTag: endpoint({
    method: 'GET',
    path: `${path}/:type/:value`,
    id: 'getTag',
    tag,
    summary: 'Get a tag',
    permission: 'none',
    params,
    query: atMoment,
    response: OneTagSchema,
  }),

  createTag: endpoint({
    method: 'POST',
    path,
    id: 'createTag',
    conflict: 'the tag already exists',
    tag,
    summary: 'Create a tag',
    permission: 'UPDATE_FEATURE',
    body: named('createTagSchema', TagSchema),
    response: OneTagSchema,
    status: 201,
  }),

  deleteTag: endpoint({
    method: 'DELETE',
    path: `${path}/:type/:value`,
    id: 'deleteTag',
    tag,
    summary: 'Delete a tag and remove it from all features',
    description: 'Requires the permission in every project with a feature that has the tag.',
    permission: 'UPDATE_FEATURE',
    params,
  }),
};

export const tagsContract = { ...tagContract, ...featureTagContract, ...tagTypeContract };
