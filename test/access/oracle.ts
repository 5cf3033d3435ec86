import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { anywhere, neededByScenario } from './particulars.ts';

/** The permissions of each built-in role, listed a second time so that a change must be intended. */
export const permits = {
  viewer: [],
  editor: [
    'CREATE_PROJECT',
    'CREATE_ADDON UPDATE_ADDON DELETE_ADDON',
    'READ_CLIENT_API_TOKEN READ_FRONTEND_API_TOKEN',
    'UPDATE_APPLICATION',
    'CREATE_CONTEXT_FIELD UPDATE_CONTEXT_FIELD DELETE_CONTEXT_FIELD',
    'CREATE_SEGMENT UPDATE_SEGMENT DELETE_SEGMENT',
    'CREATE_STRATEGY UPDATE_STRATEGY DELETE_STRATEGY',
    'CREATE_TAG_TYPE UPDATE_TAG_TYPE DELETE_TAG_TYPE',
    'READ_ROLE',
    'RELEASE_PLAN_TEMPLATE_CREATE RELEASE_PLAN_TEMPLATE_UPDATE RELEASE_PLAN_TEMPLATE_DELETE',
  ].flatMap((line) => line.split(' ')),
  /** In the default project, in addition to those of members. */
  editorInDefault: ['UPDATE_PROJECT', 'MOVE_FEATURE_TOGGLE', 'CREATE_PROJECT_API_TOKEN'],
  member: [
    'CREATE_FEATURE UPDATE_FEATURE UPDATE_FEATURE_DEPENDENCY DELETE_FEATURE',
    'UPDATE_FEATURE_VARIANTS UPDATE_PROJECT_SEGMENT READ_PROJECT_API_TOKEN',
    'PROJECT_USER_ACCESS_READ PROJECT_SETTINGS_READ PROJECT_DEFAULT_STRATEGY_READ',
    'PROJECT_CHANGE_REQUEST_READ',
    'CREATE_FEATURE_STRATEGY UPDATE_FEATURE_STRATEGY DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  ].flatMap((line) => line.split(' ')),
  owner: [
    'UPDATE_PROJECT DELETE_PROJECT PROJECT_USER_ACCESS_READ PROJECT_USER_ACCESS_WRITE',
    'PROJECT_DEFAULT_STRATEGY_READ PROJECT_DEFAULT_STRATEGY_WRITE',
    'PROJECT_CHANGE_REQUEST_READ PROJECT_CHANGE_REQUEST_WRITE',
    'PROJECT_SETTINGS_READ PROJECT_SETTINGS_WRITE',
    'READ_PROJECT_API_TOKEN CREATE_PROJECT_API_TOKEN DELETE_PROJECT_API_TOKEN',
    'UPDATE_PROJECT_SEGMENT CREATE_FEATURE UPDATE_FEATURE UPDATE_FEATURE_DEPENDENCY',
    'DELETE_FEATURE UPDATE_FEATURE_VARIANTS MOVE_FEATURE_TOGGLE',
    'CREATE_FEATURE_STRATEGY UPDATE_FEATURE_STRATEGY DELETE_FEATURE_STRATEGY',
    'UPDATE_FEATURE_ENVIRONMENT UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
    'APPROVE_CHANGE_REQUEST APPLY_CHANGE_REQUEST',
  ].flatMap((line) => line.split(' ')),
} as const;

export type Role =
  | 'anonymous'
  | 'client token'
  | 'frontend token'
  | 'expired token'
  | 'revoked token'
  | 'viewer'
  | 'editor'
  | 'member'
  | 'owner'
  | 'exactly the permission'
  | 'the permission elsewhere'
  | 'service account'
  | 'admin';

export const roles: readonly Role[] = [
  'anonymous',
  'client token',
  'frontend token',
  'expired token',
  'revoked token',
  'viewer',
  'editor',
  'member',
  'owner',
  'exactly the permission',
  'the permission elsewhere',
  'service account',
  'admin',
];

export const permissionsOf = ({ id, permission }: Endpoint): readonly string[] =>
  neededByScenario[id] ?? (typeof permission === 'string' ? [permission] : permission);

const outside: ReadonlySet<Role> = new Set(['anonymous', 'expired token', 'revoked token']);
const sdk: ReadonlySet<Role> = new Set(['client token', 'frontend token']);

export type Outcome = 'served' | 401 | '403 ADMIN' | '403';

/** SDK endpoints are available only to the matching type of token. */
const ofAudience = (audience: NonNullable<Endpoint['audience']>, role: Role): Outcome =>
  audience.some((each) => role === `${each} token`) ? 'served' : '403';

/** The mode of the project of a request. A request without a project is treated like one in an open project. */
export type Mode = 'open' | 'protected';

/** The expected outcome, from the permission in the contract and those of the role in the project. */
export function expected(
  endpoint: Endpoint,
  role: Role,
  mode: Mode,
  projects: readonly string[],
): Outcome {
  const asked = permissionsOf(endpoint);
  if (asked.includes('public')) return 'served';
  if (outside.has(role)) return 401;
  if (endpoint.audience) return ofAudience(endpoint.audience, role);
  if (sdk.has(role)) return '403 ADMIN';
  if (role === 'admin' || asked.includes('none')) return 'served';
  const any = (held: readonly string[]) =>
    asked.some((name) => held.includes(name)) ? 'served' : '403';
  // An editor has the permissions of a member in open projects only. The service account here is an editor, too.
  if (role === 'editor' || role === 'service account') {
    if (mode !== 'open') return '403';
    const isDefault = projects.every((project) => project === 'default');
    const more = isDefault ? permits.editorInDefault : [];
    return any([...permits.editor, ...permits.member, ...more]);
  }
  if (role === 'member') return any(permits.member);
  if (role === 'owner') return any(permits.owner);
  if (role === 'exactly the permission')
    return asked.every((name) => name === 'ADMIN') ? '403' : 'served';
  return role === 'the permission elsewhere' && anywhere.has(endpoint.id) ? 'served' : '403';
}
