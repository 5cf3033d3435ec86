/** Whether a permission applies to the installation, to a project, or to an environment of a project. */
export type PermissionType = 'root' | 'project' | 'environment';

export interface Permission {
  /** Clients may refer to permissions by id. Append new ones to their list, so that no id changes. */
  readonly id: number;
  readonly name: string;
  readonly displayName: string;
  readonly type: PermissionType;
}

const firstIds: Readonly<Record<PermissionType, number>> = {
  root: 1,
  project: 101,
  environment: 201,
};

const definePermissions = (
  type: PermissionType,
  names: Readonly<Record<string, string>>,
): Permission[] =>
  Object.entries(names).map(([name, displayName], index) => ({
    id: firstIds[type] + index,
    name,
    displayName,
    type,
  }));

/** All permissions, with the names of the reference product. */
export const permissions: readonly Permission[] = [
  ...definePermissions('root', {
    ADMIN: 'Full access',
    CREATE_PROJECT: 'Create projects',
    CREATE_ADDON: 'Create integrations',
    UPDATE_ADDON: 'Update integrations',
    DELETE_ADDON: 'Delete integrations',
    READ_CLIENT_API_TOKEN: 'View backend API tokens',
    CREATE_CLIENT_API_TOKEN: 'Create backend API tokens',
    UPDATE_CLIENT_API_TOKEN: 'Update backend API tokens',
    DELETE_CLIENT_API_TOKEN: 'Delete backend API tokens',
    READ_FRONTEND_API_TOKEN: 'View frontend API tokens',
    CREATE_FRONTEND_API_TOKEN: 'Create frontend API tokens',
    UPDATE_FRONTEND_API_TOKEN: 'Update frontend API tokens',
    DELETE_FRONTEND_API_TOKEN: 'Delete frontend API tokens',
    UPDATE_APPLICATION: 'Update applications',
    CREATE_CONTEXT_FIELD: 'Create context fields',
    UPDATE_CONTEXT_FIELD: 'Update context fields',
    DELETE_CONTEXT_FIELD: 'Delete context fields',
    CREATE_SEGMENT: 'Create segments',
    UPDATE_SEGMENT: 'Update segments',
    DELETE_SEGMENT: 'Delete segments',
    CREATE_STRATEGY: 'Create strategy types',
    UPDATE_STRATEGY: 'Update strategy types',
    DELETE_STRATEGY: 'Delete strategy types',
    CREATE_TAG_TYPE: 'Create tag types',
    UPDATE_TAG_TYPE: 'Update tag types',
    DELETE_TAG_TYPE: 'Delete tag types',
    READ_ROLE: 'View roles',
    READ_LOGS: 'View sign-in history',
    UPDATE_MAINTENANCE_MODE: 'Manage maintenance mode',
    UPDATE_CORS: 'Manage CORS origins',
    UPDATE_AUTH_CONFIGURATION: 'Manage authentication',
    UPDATE_INSTANCE_BANNERS: 'Manage banners',
    RELEASE_PLAN_TEMPLATE_CREATE: 'Create release plan templates',
    RELEASE_PLAN_TEMPLATE_UPDATE: 'Update release plan templates',
    RELEASE_PLAN_TEMPLATE_DELETE: 'Delete release plan templates',
  }),
  ...definePermissions('project', {
    UPDATE_PROJECT: 'Update the project, its settings, and members',
    DELETE_PROJECT: 'Archive, revive, and delete the project',
    PROJECT_USER_ACCESS_READ: 'View members',
    PROJECT_USER_ACCESS_WRITE: 'Manage members',
    PROJECT_DEFAULT_STRATEGY_READ: 'View default strategies',
    PROJECT_DEFAULT_STRATEGY_WRITE: 'Update default strategies',
    PROJECT_CHANGE_REQUEST_READ: 'View change request configuration',
    PROJECT_CHANGE_REQUEST_WRITE: 'Update change request configuration',
    PROJECT_SETTINGS_READ: 'View project settings',
    PROJECT_SETTINGS_WRITE: 'Update project settings',
    READ_PROJECT_API_TOKEN: 'View project API tokens',
    CREATE_PROJECT_API_TOKEN: 'Create project API tokens',
    DELETE_PROJECT_API_TOKEN: 'Delete project API tokens',
    UPDATE_PROJECT_SEGMENT: 'Manage project segments',
    CREATE_FEATURE: 'Create features',
    UPDATE_FEATURE: 'Update features',
    UPDATE_FEATURE_DEPENDENCY: 'Update feature dependencies',
    DELETE_FEATURE: 'Archive and delete features',
    UPDATE_FEATURE_VARIANTS: 'Update variants in all environments at once',
    MOVE_FEATURE_TOGGLE: 'Move features between projects',
  }),
  ...definePermissions('environment', {
    CREATE_FEATURE_STRATEGY: 'Create strategies',
    UPDATE_FEATURE_STRATEGY: 'Update strategies',
    DELETE_FEATURE_STRATEGY: 'Delete strategies',
    UPDATE_FEATURE_ENVIRONMENT: 'Enable and disable features',
    UPDATE_FEATURE_ENVIRONMENT_VARIANTS: 'Update variants',
    APPROVE_CHANGE_REQUEST: 'Approve change requests',
    APPLY_CHANGE_REQUEST: 'Apply change requests',
    SKIP_CHANGE_REQUEST: 'Skip change requests',
  }),
];

const types = new Map(permissions.map(({ name, type }) => [name, type]));

export const typeOfPermission = (name: string): PermissionType | undefined => types.get(name);

/** Applies to all environments if there is none. */
export interface RolePermission {
  readonly name: string;
  readonly environment?: string;
}

export const roleIds = { admin: 1, editor: 2, viewer: 3, owner: 4, member: 5 } as const;

const namesOf = (type: PermissionType) =>
  permissions.filter((permission) => permission.type === type).map(({ name }) => name);

const changeRequestPermissions = new Set([
  'APPROVE_CHANGE_REQUEST',
  'APPLY_CHANGE_REQUEST',
  'SKIP_CHANGE_REQUEST',
]);

const notForEditors = new Set([
  'ADMIN',
  ...['CLIENT', 'FRONTEND'].flatMap((type) =>
    ['CREATE', 'UPDATE', 'DELETE'].map((action) => `${action}_${type}_API_TOKEN`),
  ),
  'READ_LOGS',
  'UPDATE_MAINTENANCE_MODE',
  'UPDATE_CORS',
  'UPDATE_AUTH_CONFIGURATION',
  'UPDATE_INSTANCE_BANNERS',
]);

const memberPermissions = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_VARIANTS',
  'UPDATE_PROJECT_SEGMENT',
  'READ_PROJECT_API_TOKEN',
  'PROJECT_USER_ACCESS_READ',
  'PROJECT_SETTINGS_READ',
  'PROJECT_DEFAULT_STRATEGY_READ',
  'PROJECT_CHANGE_REQUEST_READ',
  ...namesOf('environment').filter((name) => !changeRequestPermissions.has(name)),
];

/** Owners approve changes of others. They make their own without approval only if a custom role says so. */
const ownerPermissions = [...namesOf('project'), ...namesOf('environment')].filter(
  (name) => name !== 'SKIP_CHANGE_REQUEST',
);

const toRolePermissions = (names: readonly string[]): RolePermission[] =>
  names.map((name) => ({ name }));

/**
 * The project that every installation starts with. While it is open, editors have more permissions there than its
 * members.
 */
export const commonProject = 'default';
export const ofEditorsInCommonProject = toRolePermissions([
  'UPDATE_PROJECT',
  'MOVE_FEATURE_TOGGLE',
  'CREATE_PROJECT_API_TOKEN',
]);

/** The permissions of the built-in roles. They are not stored, so that new permissions need no migration. */
export const builtInPermissions: ReadonlyMap<number, readonly RolePermission[]> = new Map([
  [roleIds.admin, toRolePermissions(['ADMIN'])],
  [roleIds.editor, toRolePermissions(namesOf('root').filter((name) => !notForEditors.has(name)))],
  [roleIds.viewer, []],
  [roleIds.owner, toRolePermissions(ownerPermissions)],
  [roleIds.member, toRolePermissions(memberPermissions)],
]);
