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
    ADMIN: 'Do everything',
    CREATE_PROJECT: 'Create projects',
    CREATE_ADDON: 'Create integrations',
    UPDATE_ADDON: 'Change integrations',
    DELETE_ADDON: 'Delete integrations',
    READ_CLIENT_API_TOKEN: 'Read API tokens of backend SDKs',
    CREATE_CLIENT_API_TOKEN: 'Create API tokens of backend SDKs',
    UPDATE_CLIENT_API_TOKEN: 'Change API tokens of backend SDKs',
    DELETE_CLIENT_API_TOKEN: 'Delete API tokens of backend SDKs',
    READ_FRONTEND_API_TOKEN: 'Read API tokens of frontend SDKs',
    CREATE_FRONTEND_API_TOKEN: 'Create API tokens of frontend SDKs',
    UPDATE_FRONTEND_API_TOKEN: 'Change API tokens of frontend SDKs',
    DELETE_FRONTEND_API_TOKEN: 'Delete API tokens of frontend SDKs',
    UPDATE_APPLICATION: 'Change applications',
    CREATE_CONTEXT_FIELD: 'Create context fields',
    UPDATE_CONTEXT_FIELD: 'Change context fields',
    DELETE_CONTEXT_FIELD: 'Delete context fields',
    CREATE_SEGMENT: 'Create segments',
    UPDATE_SEGMENT: 'Change segments',
    DELETE_SEGMENT: 'Delete segments',
    CREATE_STRATEGY: 'Create strategy types',
    UPDATE_STRATEGY: 'Change strategy types',
    DELETE_STRATEGY: 'Delete strategy types',
    CREATE_TAG_TYPE: 'Create tag types',
    UPDATE_TAG_TYPE: 'Change tag types',
    DELETE_TAG_TYPE: 'Delete tag types',
    READ_ROLE: 'Read roles',
    READ_LOGS: 'Read the instance logs and login history',
    UPDATE_MAINTENANCE_MODE: 'Switch maintenance mode',
    UPDATE_CORS: 'Change the origins of the frontend API',
    UPDATE_AUTH_CONFIGURATION: 'Change how people sign in',
    UPDATE_INSTANCE_BANNERS: 'Change banners',
    RELEASE_PLAN_TEMPLATE_CREATE: 'Create release plan templates',
    RELEASE_PLAN_TEMPLATE_UPDATE: 'Change release plan templates',
    RELEASE_PLAN_TEMPLATE_DELETE: 'Delete release plan templates',
  }),
  ...definePermissions('project', {
    UPDATE_PROJECT: 'Change the project, its settings and who has access',
    DELETE_PROJECT: 'Archive, revive and delete the project',
    PROJECT_USER_ACCESS_READ: 'Read who has access',
    PROJECT_USER_ACCESS_WRITE: 'Change who has access',
    PROJECT_DEFAULT_STRATEGY_READ: 'Read default strategies',
    PROJECT_DEFAULT_STRATEGY_WRITE: 'Change default strategies',
    PROJECT_CHANGE_REQUEST_READ: 'Read the change request configuration',
    PROJECT_CHANGE_REQUEST_WRITE: 'Change the change request configuration',
    PROJECT_SETTINGS_READ: 'Read settings',
    PROJECT_SETTINGS_WRITE: 'Change settings',
    READ_PROJECT_API_TOKEN: 'Read API tokens of the project',
    CREATE_PROJECT_API_TOKEN: 'Create API tokens of the project',
    DELETE_PROJECT_API_TOKEN: 'Delete API tokens of the project',
    UPDATE_PROJECT_SEGMENT: 'Create, change and delete segments of the project',
    CREATE_FEATURE: 'Create features',
    UPDATE_FEATURE: 'Change features',
    UPDATE_FEATURE_DEPENDENCY: 'Change dependencies of features',
    DELETE_FEATURE: 'Archive and delete features',
    UPDATE_FEATURE_VARIANTS: 'Change variants in all environments at once',
    MOVE_FEATURE_TOGGLE: 'Move features between projects',
  }),
  ...definePermissions('environment', {
    CREATE_FEATURE_STRATEGY: 'Create strategies',
    UPDATE_FEATURE_STRATEGY: 'Change strategies',
    DELETE_FEATURE_STRATEGY: 'Delete strategies',
    UPDATE_FEATURE_ENVIRONMENT: 'Switch features on and off',
    UPDATE_FEATURE_ENVIRONMENT_VARIANTS: 'Change variants',
    APPROVE_CHANGE_REQUEST: 'Approve change requests',
    APPLY_CHANGE_REQUEST: 'Apply change requests',
    SKIP_CHANGE_REQUEST: 'Change features without a change request',
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
  [roleIds.owner, toRolePermissions([...namesOf('project'), ...namesOf('environment')])],
  [roleIds.member, toRolePermissions(memberPermissions)],
]);
