import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { maxInteger, named, oneOf } from '../../../platform/contract/schema.ts';

const tag = 'Users';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  'x-fault': 'must be 1 to 100 characters, not all of them blank',
  description: 'Unique name',
});

export const RoleSchema = named(
  'roleSchema',
  Type.Object({
    id: Type.Integer({
      description: '1 Admin, 2 Editor, 3 Viewer, 4 Owner, 5 Member; above: yours',
    }),
    type: oneOf(
      ['root', 'root-custom', 'project', 'custom'],
      'root, root-custom: for the installation; project, custom: in a project',
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
      Type.String({ description: 'The only environment that it is for; left out: all' }),
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

const PermissionWishSchema = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 100 })),
  id: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: maxInteger,
      description: 'As in the list of permissions; read only where no name is sent',
    }),
  ),
  environment: Type.Optional(
    nullable(
      Type.String({
        maxLength: 100,
        description: 'For permissions of the type environment; none: in all of them',
      }),
    ),
  ),
});
export type PermissionWish = Static<typeof PermissionWishSchema>;

/** Every permission in more environments than anybody has. */
const permissions = Type.Array(PermissionWishSchema, { maxItems: 2000 });
const description = Type.Optional(
  nullable(Type.String({ maxLength: 1000, description: 'What the role is for' })),
);
const type = oneOf(
  ['root-custom', 'custom'],
  'root-custom: for the installation; custom: in a project',
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
  'A role in a project (custom) takes permissions of the types project and environment, the latter in one environment ' +
  'or in all. A role for the installation (root-custom) takes these too, and those of the type root, all but ADMIN: what ' +
  'it permits in projects it permits in every open one; in protected and private projects only the roles in them count.';

/** Text, so that an id that is no number is one of nothing, and not malformed. */
const params = Type.Object({ roleId: Type.String() });

export const contract = {
  listRoles: endpoint({
    method: 'GET',
    path: '/api/admin/roles',
    id: 'getRoles',
    tag,
    summary: 'All roles, the built-in ones first',
    permission: 'READ_ROLE',
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
    summary: 'One role with what it permits',
    permission: 'READ_ROLE',
    params,
    response: RoleWithPermissionsSchema,
  }),

  listRoleUsage: endpoint({
    method: 'GET',
    path: '/api/admin/projects/roles/:roleId/access',
    id: 'getRoleProjectAccess',
    tag,
    summary: 'The projects in which somebody has a role, and how many have it there',
    description: 'Of the projects that you may see.',
    permission: 'READ_ROLE',
    params,
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
    summary: 'Every permission that a role can hold, by where it is given',
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
    summary: 'Whether the name of a role is well formed and free',
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
    summary: 'Change a role; for everybody who has it the change is in force at once',
    description: `${permissionRules} Permissions are replaced as a whole. A description, or permissions, that are left out stay; the type stays in any case.`,
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
    summary: 'Delete a role that nobody has',
    permission: 'ADMIN',
    params,
  }),
};
