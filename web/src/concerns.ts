/** An event, or a hint, which has only a type. */
export interface ServerEvent {
  readonly type: string;
  readonly project?: string | null;
  readonly featureName?: string | null;
  /** The user can't see the event, so the log is unchanged. */
  readonly isHint?: true;
}

/** The first part of the path of an operation: what it reads. */
export const areaOf = (operation: string): string =>
  /^(?:GET|POST) \/(?:api\/admin|api|auth)\/([^/?]+)/.exec(operation)?.[1] ?? '';

const features =
  'projects features search archive tags tag-types feature-types segments environments context strategies metrics insights personal-dashboard instance-admin playground';
const people =
  'user user-admin access groups roles permissions service-account invite-link projects logins personal-dashboard';

/** By the start of an event type: the areas that change after it. The first match counts. */
export const concerned: readonly (readonly [type: string, areas: string])[] = [
  ['feature-type-', 'feature-types projects search features'],
  ['feature-', features],
  ['features-', features],
  ['strategy-order-', features],
  ['strategy-', 'strategies'],
  ['default-strategy-', 'projects segments context strategies'],
  ['project-access-', people],
  ['project-user-', people],
  ['project-group-', people],
  ['project-', `${features} ${people} api-tokens`],
  ['segment-', 'segments projects features context search playground'],
  ['environment-', `${features} api-tokens user permissions`],
  ['context-field-', 'context'],
  ['tag-type-', 'tag-types tags projects features search'],
  ['tag-', 'tag-types tags features search'],
  ['addon-', 'addons'],
  ['api-token-', 'api-tokens projects'],
  ['application-', 'metrics projects'],
  ['user-preference-', `${people} saved-views`],
  ['user-', people],
  ['group-', people],
  ['role-', people],
  ['pat-', people],
  ['service-account-', people],
  ['public-signup-', people],
  ['change-', 'projects search playground environments calendar'],
];

const areasOf = new Map(concerned.map(([type, areas]) => [type, new Set(areas.split(' '))]));

/** Their events change what other features show, too: parents, children, the archive. */
const reachingOthers =
  /^feature-(dependenc|archived|revived|deleted|project-change|import|type)|^features-/;

/** Only they add, remove or move a name. Thousands of names are not read again because of a toggle. */
const changesNames =
  /^feature-(created|import|archived|revived|deleted|project-change)|^features-|^project-/;

/** Only they add, remove or rename an account or a group. The list has all of them. */
const changesAccounts = /^(user-(?!preference-)|service-account-|group-|public-signup-)/;

/** They can end a follow, or change the project that it shows. */
const endsFollows = /^feature-(deleted|project-change)|^project-/;

/** Whether the response of a read may change after an event. If in doubt, yes. */
export function isConcerned(
  { type, project, featureName, isHint }: ServerEvent,
  operation: string,
  params: Readonly<Record<string, unknown>> = {},
): boolean {
  if (operation.startsWith('GET /auth/')) return false;
  // Other keys don't say what is read.
  if (!/^(GET|POST) \//.test(operation)) return true;
  const isOfLog =
    /\/(search\/events|events|event-creators|history\/incident|follows\/(?:changes|notifications))\b/.test(
      operation,
    );
  if (areaOf(operation) === 'attention') return true;
  // A follow ends with its feature or project, and shows the project.
  if (operation === 'GET /api/admin/user/follows' && endsFollows.test(type)) return true;
  // An open event doesn't change.
  if (isOfLog) return !isHint && !operation.endsWith('/:id');
  const begin = concerned.find(([beginning]) => type.startsWith(beginning))?.[0];
  if (operation === 'GET /api/admin/feature-names') {
    return begin === undefined || changesNames.test(type);
  }
  if (operation === 'GET /api/admin/user-admin/access') {
    return begin === undefined || changesAccounts.test(type);
  }
  if (begin !== undefined && !areasOf.get(begin)?.has(areaOf(operation))) return false;
  const isElsewhere = (own: unknown, there: string | null | undefined) =>
    typeof own === 'string' && typeof there === 'string' && own !== there;
  if (reachingOthers.test(type)) return true;
  return !isElsewhere(params.projectId, project) && !isElsewhere(params.featureName, featureName);
}
