import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { atMoment, describing, named } from '../../../../platform/contract/schema.ts';
import { urlName } from '../../../../platform/contract/url-name.ts';
import { UsesSchema, usesDescription } from '../../uses/uses-schema.ts';

const tag = 'Tags';
const path = '/api/admin/tag-types';

/** The name of a new tag type. The reserved word is a path beside the types. */
const name = Type.String({
  ...urlName({ description: 'Unique name, used in paths', reserved: ['validate'] }),
  minLength: 2,
  maxLength: 50,
  'x-fault':
    "must be 2 to 50 characters of A-Z a-z 0-9 - _ . ~ ! * ' ( ), and neither .. nor validate",
});
const color = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  'x-fault': 'must be a color such as #6C65E5',
  description: 'Display color of its tags',
});
const icon = Type.String({ maxLength: 100, description: 'Name of an icon' });

const TagTypeSchema = named(
  'tagTypeSchema',
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    icon: Type.Optional(Type.String()),
    color: Type.Optional(Type.String()),
  }),
);
export type TagType = Static<typeof TagTypeSchema>;

const UsedTagTypeSchema = named(
  'tagTypeSchema',
  Type.Object({
    ...TagTypeSchema.properties,
    usedInFeatures: Type.Integer({
      description:
        'Number of features that use it, including archived ones, in projects that you can see',
    }),
  }),
);
export type UsedTagType = Static<typeof UsedTagTypeSchema>;

/** Omitted properties stay. An empty value is null or, for texts, "". */
const changeable = {
  description: Type.Optional(nullable(describing('Purpose of the tag type'))),
  icon: Type.Optional(nullable(icon)),
  color: Type.Optional(nullable(color)),
};

const TagTypeChangeSchema = named('updateTagTypeSchema', Type.Object(changeable));
export type TagTypeChange = Static<typeof TagTypeChangeSchema>;

export const CreateTagTypeSchema = named(
  'createTagTypeSchema',
  Type.Object({ name, ...changeable }),
);
export type CreateTagType = Static<typeof CreateTagTypeSchema>;

const params = Type.Object({ name: Type.String() });
const conflict = 'the name is taken';

export const tagTypeContract = {
  listTagTypes: endpoint({
    method: 'GET',
    path,
    id: 'getTagTypes',
    tag,
    summary: 'List tag types by name',
    permission: 'none',
    query: atMoment,
    response: named(
      'tagTypesSchema',
      Type.Object({ version: Type.Integer(), tagTypes: Type.Array(UsedTagTypeSchema) }),
    ),
  }),

  getTagType: endpoint({
    method: 'GET',
    path: `${path}/:name`,
    id: 'getTagType',
    tag,
    summary: 'Get a tag type',
    permission: 'none',
    params,
    query: atMoment,
    response: Type.Object({ version: Type.Integer(), tagType: TagTypeSchema }),
  }),

  listTagTypeUses: endpoint({
    method: 'GET',
    path: `${path}/:name/uses`,
    id: 'getTagTypeUses',
    tag,
    summary: 'List where a tag type is used',
    description: usesDescription,
    permission: 'none',
    params,
    response: UsesSchema,
  }),

  createTagType: endpoint({
    method: 'POST',
    path,
    id: 'createTagType',
    conflict,
    tag,
    summary: 'Create a tag type',
    permission: 'CREATE_TAG_TYPE',
    body: CreateTagTypeSchema,
    response: TagTypeSchema,
    status: 201,
    locatedBy: 'name',
  }),

  validateTagType: endpoint({
    method: 'POST',
    path: `${path}/validate`,
    id: 'validateTagType',
    conflict,
    tag,
    summary: 'Check whether a tag type is valid and its name available',
    permission: ['CREATE_TAG_TYPE', 'UPDATE_TAG_TYPE'],
    duringMaintenance: true,
    body: CreateTagTypeSchema,
    response: named(
      'validateTagTypeSchema',
      Type.Object({ valid: Type.Boolean(), tagType: TagTypeSchema }),
    ),
  }),

  updateTagType: endpoint({
    method: 'PUT',
    path: `${path}/:name`,
    id: 'updateTagType',
    tag,
    summary: 'Update a tag type',
    permission: 'UPDATE_TAG_TYPE',
    params,
    body: TagTypeChangeSchema,
  }),

  deleteTagType: endpoint({
    method: 'DELETE',
    path: `${path}/:name`,
    id: 'deleteTagType',
    tag,
    summary: 'Delete an unused tag type and its tags',
    permission: 'DELETE_TAG_TYPE',
    params,
  }),
};
