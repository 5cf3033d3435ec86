export interface ListedPermission {
  readonly name: string;
  readonly displayName: string;
  readonly type: 'root' | 'project' | 'environment';
}

/** The first match counts. The names are those of the Unleash API. */
const groups: readonly (readonly [pattern: RegExp, group: string])[] = [
  [/^ADMIN$/, 'Admin'],
  [/^(CREATE|UPDATE|DELETE)_FEATURE_STRATEGY$/, 'Feature configuration'],
  [/^UPDATE_FEATURE_ENVIRONMENT/, 'Feature configuration'],
  [/CHANGE_REQUEST$/, 'Change requests'],
  [/^PROJECT_CHANGE_REQUEST/, 'Change requests'],
  [/API_TOKEN$/, 'API tokens'],
  [/ADDON$/, 'Integrations'],
  [/SEGMENT$/, 'Segments'],
  [/CONTEXT_FIELD$/, 'Context fields'],
  [/_STRATEGY$/, 'Strategy types'],
  [/TAG_TYPE$/, 'Tag types'],
  [/FEATURE/, 'Features'],
  [/^PROJECT_USER_ACCESS/, 'Project and members'],
  [/^(UPDATE|DELETE)_PROJECT$/, 'Project and members'],
  [/^CREATE_PROJECT$/, 'Projects'],
  [/^PROJECT_DEFAULT_STRATEGY/, 'Project settings'],
  [/^PROJECT_SETTINGS/, 'Project settings'],
  [/^UPDATE_APPLICATION$/, 'Applications'],
  [/^RELEASE_PLAN_TEMPLATE/, 'Release plan templates'],
];

const groupOf = (name: string): string =>
  groups.find(([pattern]) => pattern.test(name))?.[1] ?? 'Administration';

const metadataOnly =
  'Names and dates only. Viewing secrets requires the matching create permission.';
const includesSecrets = 'Also allows copying the secrets of existing tokens.';
const noEffect = (what: string) => `No effect yet: ${what} aren't supported.`;

/** What a permission's name alone does not tell. */
export const permissionNotes: Readonly<Record<string, string>> = {
  ADMIN: 'Full access, including private projects and anything added later.',
  CREATE_PROJECT: "The creator becomes the project's owner.",
  READ_CLIENT_API_TOKEN: metadataOnly,
  READ_FRONTEND_API_TOKEN: metadataOnly,
  CREATE_CLIENT_API_TOKEN: includesSecrets,
  CREATE_FRONTEND_API_TOKEN: includesSecrets,
  READ_LOGS: 'Sign-in history with IP addresses, including failed attempts.',
  UPDATE_MAINTENANCE_MODE: 'Blocks all changes while enabled.',
  UPDATE_CORS: 'Sites allowed to call the frontend API from a browser.',
  UPDATE_AUTH_CONFIGURATION: 'Password sign-in only. Single sign-on settings require admin.',
  UPDATE_INSTANCE_BANNERS: noEffect('banners'),
  RELEASE_PLAN_TEMPLATE_CREATE: noEffect('release plans'),
  RELEASE_PLAN_TEMPLATE_UPDATE: noEffect('release plans'),
  RELEASE_PLAN_TEMPLATE_DELETE: noEffect('release plans'),
  UPDATE_PROJECT: 'Also allows granting roles. Intended for owners.',
  PROJECT_USER_ACCESS_WRITE: 'Can grant project roles, up to their own permissions.',
  READ_PROJECT_API_TOKEN: metadataOnly,
  CREATE_PROJECT_API_TOKEN: includesSecrets,
  UPDATE_FEATURE:
    "Description, owner, type, tags, expiry date, and stale status. Doesn't include enabling or disabling.",
  UPDATE_FEATURE_ENVIRONMENT: 'Takes effect for users immediately.',
  MOVE_FEATURE_TOGGLE: 'Required in both projects.',
  APPROVE_CHANGE_REQUEST: 'Approves and rejects the changes of others.',
  APPLY_CHANGE_REQUEST: 'Applies and schedules approved changes.',
  SKIP_CHANGE_REQUEST:
    'Skips approval for changes through the API and in emergencies. Grants nothing else by itself.',
  PROJECT_CHANGE_REQUEST_WRITE: 'Enables and disables change requests, and sets their rules.',
};

/** Permissions by group, in their given order. */
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
