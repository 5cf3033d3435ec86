export interface ListedPermission {
  readonly name: string;
  readonly displayName: string;
  readonly type: 'root' | 'project' | 'environment';
}

/** The first match counts. Names are those of the reference product; groups are what people think in. */
const groups: readonly (readonly [pattern: RegExp, group: string])[] = [
  [/^ADMIN$/, 'Everything'],
  [/^(CREATE|UPDATE|DELETE)_FEATURE_STRATEGY$/, 'Strategies and switches'],
  [/^UPDATE_FEATURE_ENVIRONMENT/, 'Strategies and switches'],
  [/CHANGE_REQUEST$/, 'Change requests'],
  [/^PROJECT_CHANGE_REQUEST/, 'Change requests'],
  [/API_TOKEN$/, 'API tokens'],
  [/ADDON$/, 'Integrations'],
  [/SEGMENT$/, 'Segments'],
  [/CONTEXT_FIELD$/, 'Context fields'],
  [/_STRATEGY$/, 'Strategy types'],
  [/TAG_TYPE$/, 'Tag types'],
  [/FEATURE/, 'Features'],
  [/^PROJECT_USER_ACCESS/, 'The project and its members'],
  [/^(UPDATE|DELETE)_PROJECT$/, 'The project and its members'],
  [/^CREATE_PROJECT$/, 'Projects'],
  [/^PROJECT_DEFAULT_STRATEGY/, 'Settings of the project'],
  [/^PROJECT_SETTINGS/, 'Settings of the project'],
  [/^UPDATE_APPLICATION$/, 'Applications'],
  [/^RELEASE_PLAN_TEMPLATE/, 'Release plan templates'],
];

const groupOf = (name: string): string =>
  groups.find(([pattern]) => pattern.test(name))?.[1] ?? 'Administration';

/** What a name alone does not tell. */
export const permissionNotes: Readonly<Record<string, string>> = {
  ADMIN: 'Also in private projects, and everything that comes later.',
  CREATE_PROJECT: 'Whoever creates a project becomes its owner.',
  READ_CLIENT_API_TOKEN: 'Names and dates. Secrets are shown to those who may create tokens.',
  READ_FRONTEND_API_TOKEN: 'Names and dates. Secrets are shown to those who may create tokens.',
  CREATE_CLIENT_API_TOKEN: 'Includes copying the secrets of those that exist.',
  CREATE_FRONTEND_API_TOKEN: 'Includes copying the secrets of those that exist.',
  READ_LOGS: 'Who signed in, when and from where, with failed attempts.',
  UPDATE_MAINTENANCE_MODE: 'While it is on, nobody can change anything.',
  UPDATE_CORS: 'The web sites whose pages may ask for features.',
  UPDATE_AUTH_CONFIGURATION: 'Only administrators change the OpenID provider.',
  UPDATE_INSTANCE_BANNERS: 'Burgee has no banners yet.',
  RELEASE_PLAN_TEMPLATE_CREATE: 'Burgee has no release plans yet.',
  RELEASE_PLAN_TEMPLATE_UPDATE: 'Burgee has no release plans yet.',
  RELEASE_PLAN_TEMPLATE_DELETE: 'Burgee has no release plans yet.',
  UPDATE_PROJECT: 'Includes giving roles to others. Give it to owners.',
  PROJECT_USER_ACCESS_WRITE: 'Whoever has it can give any role of the project.',
  READ_PROJECT_API_TOKEN: 'Names and dates. Secrets are shown to those who may create tokens.',
  CREATE_PROJECT_API_TOKEN: 'Includes copying the secrets of those that exist.',
  UPDATE_FEATURE: 'Description, type, tags, stale; not what is on where.',
  UPDATE_FEATURE_ENVIRONMENT: 'The switch itself: what users notice at once.',
  MOVE_FEATURE_TOGGLE: 'It is needed in both projects.',
  APPROVE_CHANGE_REQUEST: 'Burgee has no change requests yet.',
  APPLY_CHANGE_REQUEST: 'Burgee has no change requests yet.',
  SKIP_CHANGE_REQUEST: 'Burgee has no change requests yet.',
  PROJECT_CHANGE_REQUEST_READ: 'Burgee has no change requests yet.',
  PROJECT_CHANGE_REQUEST_WRITE: 'Burgee has no change requests yet.',
};

/** Permissions under what they are about, in the order in which they are given. */
export function grouped<Permission extends ListedPermission>(
  permissions: readonly Permission[],
): (readonly [group: string, permissions: readonly Permission[]])[] {
  const found = new Map<string, Permission[]>();
  for (const permission of permissions) {
    const group = groupOf(permission.name);
    found.set(group, [...(found.get(group) ?? []), permission]);
  }
  return [...found];
}
