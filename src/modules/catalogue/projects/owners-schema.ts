import { type Static, Type } from 'typebox';
import { oneOf } from '../../../platform/contract/schema.ts';

const OwnerSchema = Type.Object({
  ownerType: oneOf(
    ['user', 'group', 'system'],
    'user: a user or service account; system: no specific owner',
  ),
  name: Type.Optional(Type.String()),
  imageUrl: Type.Optional(Type.String({ description: 'For owners of type user' })),
});
export type Owner = Static<typeof OwnerSchema>;

export const owners = Type.Array(OwnerSchema, {
  description: 'Users and groups with the role Owner; never empty',
});

export const memberCount = Type.Integer({
  description:
    'Number of users with a direct or group role in the project; service accounts are not counted',
});
