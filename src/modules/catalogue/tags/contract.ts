import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';

const tag = 'Tags';
const path = '/api/admin/tags';

/** Two to fifty code points in every request (2.2). */
const part = (description: string) => Type.String({ minLength: 2, maxLength: 50, description });

export const TagSchema = named(
  'tagSchema',
  Type.Object({
    type: part('Name of a tag type'),
    value: part('Value of the tag'),
  }),
);
export type Tag = Static<typeof TagSchema>;

export const TagsSchema = named(
  'tagsSchema',
  Type.Object({
    version: Type.Integer(),
    tags: Type.Array(TagSchema),
  }),
);

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
