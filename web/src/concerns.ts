/** What is known of something that happened: an event, or a hint, which has a type alone. */
export interface Happened {
  readonly type: string;
  readonly project?: string | null;
  readonly featureName?: string | null;
  /** The reader does not see the event, so that the log is as it was. */
  readonly isHint?: true;
}

/** The first part of the path of an operation: what it reads. */
export const areaOf = (operation: string): string =>
  /^(?:GET|POST) \/(?:api\/admin|api|auth)\/([^/?]+)/.exec(operation)?.[1] ?? '';

const features =
  'projects features search archive tags tag-types feature-types segments environments context strategies metrics insights personal-dashboard instance-admin playground';
const people =
  'user user-admin access groups roles permissions service-account invite-link projects logins personal-dashboard';

/** By the beginning of the type of an event: what shows something else after it. The first match counts. */
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
  ['user-', people],
  ['group-', people],
  ['role-', people],
  ['pat-', people],
  ['service-account-', people],
  ['public-signup-', people],
];

const areasOf = new Map(concerned.map(([type, areas]) => [type, new Set(areas.split(' '))]));

/** Their events change what other features show, too: parents, children, the archive. */
const reachingOthers =
  /^feature-(dependenc|archived|revived|deleted|project-change|import|type)|^features-/;

/** Only they add, take away or move a name. Thousands of names are not read again because of a switch. */
const changesNames =
  /^feature-(created|import|archived|revived|deleted|project-change)|^features-|^project-/;

/** After them somebody may follow less, or under another name. */
const endsFollows = /^feature-(deleted|project-change)|^project-/;

/** Whether a read may answer something else after what happened. In doubt it does. */
export function isConcerned(
  { type, project, featureName, isHint }: Happened,
  operation: string,
  params: Readonly<Record<string, unknown>> = {},
): boolean {
  if (operation.startsWith('GET /auth/')) return false;
  // A key of its own says nothing of what is read.
  if (!/^(GET|POST) \//.test(operation)) return true;
  const isOfLog = /\/(search\/events|events|event-creators|follows\/changes)\b/.test(operation);
  // A follow ends with what is followed, and shows the project that it is in.
  if (operation === 'GET /api/admin/user/follows' && endsFollows.test(type)) return true;
  // An event that is open stays as it is.
  if (isOfLog) return !isHint && !operation.endsWith('/:id');
  const begin = concerned.find(([beginning]) => type.startsWith(beginning))?.[0];
  if (operation === 'GET /api/admin/feature-names') {
    return begin === undefined || changesNames.test(type);
  }
  if (begin !== undefined && !areasOf.get(begin)?.has(areaOf(operation))) return false;
  const isElsewhere = (own: unknown, there: string | null | undefined) =>
    typeof own === 'string' && typeof there === 'string' && own !== there;
  if (reachingOthers.test(type)) return true;
  return !isElsewhere(params.projectId, project) && !isElsewhere(params.featureName, featureName);
}
