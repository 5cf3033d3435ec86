import { type Static, Type } from 'typebox';
import { oneOf } from '../../../platform/contract/schema.ts';

const OwnerSchema = Type.Object({
  ownerType: oneOf(
    ['user', 'group', 'system'],
    'user: a person or a service account; system: nobody in particular',
  ),
  name: Type.Optional(Type.String()),
  imageUrl: Type.Optional(Type.String({ description: 'Of a user' })),
});
export type Owner = Static<typeof OwnerSchema>;

export const owners = Type.Array(OwnerSchema, {
  description: 'The users and groups with the role Owner; never empty',
});

export const memberCount = Type.Integer({
  description:
    'People with a role in the project, by themselves or through a group; service accounts are not counted',
});
