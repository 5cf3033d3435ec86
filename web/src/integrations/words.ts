import type { Response } from '../api.ts';
import { numberText, plural } from '../ui/format.ts';

export type Integration = Response<'GET /api/admin/addons/:id'>;
export type Provider = Response<'GET /api/admin/addons'>['providers'][number];
export type Delivery = Response<'GET /api/admin/addons/:id/deliveries'>['deliveries'][number];
export type Attempt =
  Response<'GET /api/admin/addons/:id/events/:recordId'>['details']['attempts'][number];

type Condition = 'disabled' | 'paused' | 'held' | 'failing' | 'waiting' | 'working';

/** The status of an integration; what stops all deliveries comes first. */
export function conditionOf(integration: Integration): Condition {
  if (!integration.enabled) return 'disabled';
  if (integration.paused) return 'paused';
  if (integration.delivery.heldUntil !== undefined) return 'held';
  if (integration.trouble !== undefined || integration.delivery.lastError !== undefined) {
    return 'failing';
  }
  return integration.delivery.pending > 0 ? 'waiting' : 'working';
}

export const conditionWords: Readonly<
  Record<Condition, { readonly label: string; readonly color: string }>
> = {
  disabled: { label: 'Disabled', color: 'gray' },
  paused: { label: 'Paused', color: 'blue' },
  held: { label: 'Throttled', color: 'yellow' },
  failing: { label: 'Failing', color: 'red' },
  waiting: { label: 'Sending', color: 'teal' },
  working: { label: 'Active', color: 'green' },
};

/** The state of a delivery, in a word. */
export const stateWords = {
  pending: { label: 'Pending', color: 'blue' },
  delivered: { label: 'Delivered', color: 'green' },
  givenUp: { label: 'Failed', color: 'red' },
} as const;

/** The status of a delivery in a list: one that failed before is retried. */
export const statusOf = ({
  state,
  attempts,
}: Pick<Delivery, 'state' | 'attempts'>): { readonly label: string; readonly color: string } =>
  state === 'pending' && attempts > 0 ? { label: 'Retrying', color: 'yellow' } : stateWords[state];

/** "6 pending · 2 failed permanently"; empty if there are none. */
export const backlogText = ({ pending, givenUp }: Integration['delivery']): string =>
  [
    ...(pending > 0 ? [`${numberText(pending)} pending`] : []),
    ...(givenUp > 0 ? [`${numberText(givenUp)} failed permanently`] : []),
  ].join(' · ');

/** What happens to events of a paused integration. */
export const queueText = (pending: number): string =>
  pending > 0
    ? `${plural(pending, 'event')} will be sent when you resume.`
    : 'New events are queued until you resume.';

/** What an integration does not send, and why; undefined if it sends everything that matches. */
export function withheldWords({
  withheld,
}: Pick<Integration, 'withheld'>): { readonly items: string[]; readonly why: string } | undefined {
  if (!withheld) return undefined;
  const { accountDeleted, privateProjects, otherPrivateProjects, deletedProjects } = withheld;
  const isLimited = privateProjects.length > 0 || otherPrivateProjects;
  return {
    items: [
      ...(privateProjects.length > 0 ? [`Private projects: ${privateProjects.join(', ')}`] : []),
      ...(otherPrivateProjects ? ['Private projects'] : []),
      ...(withheld.eventsOutsideProjects ? ['Events outside projects'] : []),
      ...(deletedProjects.length > 0
        ? [`Projects that were deleted: ${deletedProjects.join(', ')}`]
        : []),
    ],
    why: !isLimited
      ? 'A new project with the same ID is included when you save the integration.'
      : accountDeleted
        ? 'The account that last saved this integration no longer exists.'
        : "The account that last saved this integration doesn't have access to them.",
  };
}

/** "in 4 min 10 s", for a time that is counted down. */
export function countdown(until: Date, now: Date): string {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return 'now';
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const first = parts.findIndex(([value]) => value > 0);
  const shown = parts.slice(first, first + 2).filter(([value]) => value > 0);
  return `in ${shown.map(([value, unit]) => `${value} ${unit}`).join(' ')}`;
}

/** Groups of event types, in the order of a form. The first match counts. */
const groups: readonly (readonly [title: string, pattern: RegExp])[] = [
  ['Features', /^features?-(?!type-)|^strategy-order-|^drafts?-/],
  ['Projects', /^project-|^default-strategy-/],
  ['Change requests', /^change-/],
  ['Segments', /^segment-/],
  ['Environments', /^environment-/],
  ['Context fields, types, and tags', /^context-field-|^strategy-|^tag-|^feature-type-/],
  ['Users and access', /^user-|^group-|^role-|^pat-|^service-account-|^public-signup-|^api-token-/],
  ['Integrations', /^addon-/],
];

const others = 'Other';

/** The event types of a provider, by subject. */
export function groupTypes(
  types: readonly string[],
): readonly { readonly title: string; readonly types: readonly string[] }[] {
  const titleOf = (type: string) => groups.find(([, pattern]) => pattern.test(type))?.[0] ?? others;
  return [...groups.map(([title]) => title), others]
    .map((title) => ({ title, types: types.filter((type) => titleOf(type) === title) }))
    .filter((group) => group.types.length > 0);
}

/** Selected in a new integration. */
export const firstTypes: readonly string[] = [
  'feature-created',
  'feature-archived',
  'feature-environment-enabled',
  'feature-environment-disabled',
];
