import { Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { instant } from '../../../platform/http/schema.ts';
import { userId } from './user.ts';

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
    response: Type.Object({
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
  }),

  deleteInactiveUsers: endpoint({
    method: 'POST',
    path: `${path}/delete`,
    id: 'deleteInactiveUsers',
    tag,
    summary: 'Delete people who are inactive, all of these or none',
    permission,
    body: Type.Object({ ids: Type.Array(userId, { minItems: 1, maxItems: 1000 }) }),
  }),
};
