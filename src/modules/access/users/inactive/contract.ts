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
    summary: 'People who were not seen for 180 days, nor created since',
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
    summary: 'Delete several people, all of these or none',
    description:
      'Whether they are inactive is for you to know: the list names those who were at that time.',
    permission,
    body: named('idsSchema', Type.Object({ ids: Type.Array(userId, { maxItems: 1000 }) })),
  }),
};
