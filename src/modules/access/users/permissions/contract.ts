import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { oneOf } from '../../../../platform/contract/schema.ts';
import { RoleSchema } from '../../roles/contract.ts';
import { UserSchema } from '../user-schema.ts';

const HeldPermissionSchema = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  type: oneOf(['root', 'project', 'environment']),
  hasPermission: Type.Boolean(),
});
export type HeldPermission = Static<typeof HeldPermissionSchema>;

const ProjectRoleSchema = Type.Object({
  ...RoleSchema.properties,
  project: Type.String({ description: 'The project in which the role applies' }),
});
export type ProjectRole = Static<typeof ProjectRoleSchema>;

export const AccessOverviewSchema = Type.Object({
  overview: Type.Object({
    root: Type.Array(HeldPermissionSchema),
    project: Type.Array(HeldPermissionSchema),
    environment: Type.Array(HeldPermissionSchema),
  }),
  user: UserSchema,
  rootRole: RoleSchema,
  projectRoles: Type.Array(ProjectRoleSchema),
});
export type AccessOverview = Static<typeof AccessOverviewSchema>;

export const permissionContract = {
  getUserPermissions: endpoint({
    method: 'GET',
    path: '/api/admin/user-admin/:id/permissions',
    id: 'getUserPermissions',
    tag: 'Users',
    summary: "List a user's permissions in a project and environment",
    description:
      'Includes roles of groups. Without a project, only permissions for the whole installation count. Root roles apply ' +
      'outside projects and in open projects.',
    permission: 'ADMIN',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({
      project: Type.Optional(Type.String({ maxLength: 200 })),
      environment: Type.Optional(Type.String({ maxLength: 200 })),
    }),
    response: AccessOverviewSchema,
  }),
};
