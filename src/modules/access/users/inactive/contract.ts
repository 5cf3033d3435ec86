import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { userId } from '../user-schema.ts';

const tag = 'Users';
const path = '/api/admin/user-admin/inactive';
const permission = 'ADMIN';

export const inactiveContract = {
  listInactiveUsers: endpoint({
    method: 'GET',
    path,
    id: 'getInactiveUsers',
    tag,
    summary: 'List users inactive for 180 days',
    permission,
    response: named(
      'inactiveUsersSchema',
      Type.Object({
        version: Type.Integer(),
        inactiveUsers: Type.Array(
          Type.Object({
            id: Type.Integer(),
            name: Type.Optional(Type.String()),
            username: Type.Optional(Type.String()),
            email: Type.Optional(Type.String()),
            createdAt: instant,
            seenAt: Type.Optional(instant),
          }),
        ),
      }),
    ),
  }),

  deleteInactiveUsers: endpoint({
    method: 'POST',
    path: `${path}/delete`,
    id: 'deleteInactiveUsers',
    tag,
    summary: 'Delete several users, all or nothing',
    description: 'Deletes all listed users, active or not.',
    permission,
    body: named('idsSchema', Type.Object({ ids: Type.Array(userId, { maxItems: 1000 }) })),
  }),
};
