import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { atMoment, maxInteger, named, nameText, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'Users';

const name = nameText({ maxLength: 100, description: 'Unique name' });

export const RoleSchema = named(
  'roleSchema',
  Type.Object({
    id: Type.Integer({
      description: '1 Admin, 2 Editor, 3 Viewer, 4 Owner, 5 Member; higher IDs are custom roles',
    }),
    type: oneOf(
      ['root', 'root-custom', 'project', 'custom'],
      'root and root-custom apply to the whole installation; project and custom apply in a project',
    ),
    name: Type.String(),
    description: Type.String(),
  }),
);
export type Role = Static<typeof RoleSchema>;

const PermissionSchema = named(
  'adminPermissionSchema',
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    displayName: Type.String(),
    type: oneOf(['root', 'project', 'environment']),
    environment: Type.Optional(
      Type.String({ description: 'The only environment it applies to; omitted: all environments' }),
    ),
  }),
);
export type DescribedPermission = Static<typeof PermissionSchema>;

const RoleWithPermissionsSchema = named(
  'roleWithPermissionsSchema',
  Type.Object({
    ...RoleSchema.properties,
    permissions: Type.Array(PermissionSchema),
  }),
);
export type RoleWithPermissions = Static<typeof RoleWithPermissionsSchema>;

const PermissionBodySchema = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInteger,
      description: 'ID from the list of permissions; used only if no name is sent',
    }),
  ),
  environment: Type.Optional(
    nullable(
      Type.String({
        maxLength: 100,
        description: 'For permissions of type environment; omitted: all environments',
      }),
    ),
  ),
});
export type PermissionBody = Static<typeof PermissionBodySchema>;

/** Enough for every permission in more environments than anyone has. */
const permissions = Type.Array(PermissionBodySchema, { maxItems: 2000 });
const description = Type.Optional(
  nullable(Type.String({ maxLength: 1000, description: 'Purpose of the role' })),
);
const type = oneOf(
  ['root-custom', 'custom'],
  'root-custom: for the installation; custom: for a project',
);

const CreateRoleSchema = named(
  'createRoleWithPermissionsSchema',
  Type.Object({
    name,
    description,
    type: withDefault(type, 'custom'),
    permissions: withDefault(permissions, []),
  }),
);
export type CreateRole = Static<typeof CreateRoleSchema>;

const UpdateRoleSchema = named(
  'updateRoleWithPermissionsSchema',
  Type.Object({
    name,
    description,
    type: Type.Optional(type),
    permissions: Type.Optional(permissions),
  }),
);
export type RoleChange = Static<typeof UpdateRoleSchema>;

const RoleUsageSchema = Type.Object({
  project: Type.String(),
  role: Type.Integer(),
  userCount: Type.Integer(),
  serviceAccountCount: Type.Integer(),
  groupCount: Type.Integer(),
});
export type RoleUsage = Static<typeof RoleUsageSchema>;

const OneRoleSchema = named(
  'roleWithVersionSchema',
  Type.Object({ version: Type.Integer(), roles: RoleSchema }),
);

const permissionRules =
  'A project role (custom) can contain permissions of the types project and environment; the latter apply to one environment ' +
  'or to all. A root role (root-custom) can also contain permissions of type root, except ADMIN. Its project permissions ' +
  'apply in every open project; in protected and private projects, only roles in the project count.';

/** A string, so that an id which is no number gives 404 and not 400. */
const params = Type.Object({ roleId: Type.String() });

export const contract = {
  listRoles: endpoint({
    method: 'GET',
    path: '/api/admin/roles',
    id: 'getRoles',
    tag,
    summary: 'List roles, built-in roles first',
    permission: 'READ_ROLE',
    query: atMoment,
    response: named(
      'rolesWithVersionSchema',
      Type.Object({ version: Type.Integer(), roles: Type.Array(RoleSchema) }),
    ),
  }),

  getRole: endpoint({
    method: 'GET',
    path: '/api/admin/roles/:roleId',
    id: 'getRoleById',
    tag,
    summary: 'Get a role with its permissions',
    permission: 'READ_ROLE',
    params,
    query: atMoment,
    response: RoleWithPermissionsSchema,
  }),

  listRoleUsage: endpoint({
    method: 'GET',
    path: '/api/admin/projects/roles/:roleId/access',
    id: 'getRoleProjectAccess',
    tag,
    summary: 'List the projects in which a role is granted',
    description:
      'Includes how many have the role in each project. Lists only projects that you can see.',
    permission: 'READ_ROLE',
    params,
    query: atMoment,
    response: named(
      'projectRoleUsageSchema',
      Type.Object({ projects: Type.Array(RoleUsageSchema) }),
    ),
  }),

  listPermissions: endpoint({
    method: 'GET',
    path: '/api/admin/permissions',
    id: 'getPermissions',
    tag,
    summary: 'List all permissions, grouped by type',
    permission: 'ADMIN',
    response: named(
      'adminPermissionsSchema',
      Type.Object({
        version: Type.Integer(),
        permissions: Type.Object({
          root: Type.Array(PermissionSchema),
          project: Type.Array(PermissionSchema),
          environments: Type.Array(
            Type.Object({ name: Type.String(), permissions: Type.Array(PermissionSchema) }),
          ),
        }),
      }),
    ),
  }),

  createRole: endpoint({
    method: 'POST',
    path: '/api/admin/roles',
    id: 'createRole',
    conflict: 'the name is taken',
    tag,
    summary: 'Create a role',
    description: permissionRules,
    permission: 'ADMIN',
    body: CreateRoleSchema,
    response: OneRoleSchema,
  }),

  validateRoleName: endpoint({
    method: 'POST',
    path: '/api/admin/roles/validate',
    id: 'validateRole',
    conflict: 'the name is taken',
    tag,
    summary: 'Check whether a role name is valid and available',
    permission: 'ADMIN',
    duringMaintenance: true,
    body: Type.Object({ name }),
  }),

  updateRole: endpoint({
    method: 'PUT',
    path: '/api/admin/roles/:roleId',
    id: 'updateRole',
    conflict: 'the name is taken',
    tag,
    summary: 'Update a role',
    description: `Takes effect immediately for everyone who has the role. ${permissionRules} Permissions are replaced as a whole. An omitted description or omitted permissions stay unchanged. The type cannot be changed.`,
    permission: 'ADMIN',
    params,
    body: UpdateRoleSchema,
    response: OneRoleSchema,
  }),

  deleteRole: endpoint({
    method: 'DELETE',
    path: '/api/admin/roles/:roleId',
    id: 'deleteRole',
    tag,
    summary: 'Delete an unused role',
    permission: 'ADMIN',
    params,
  }),
};
