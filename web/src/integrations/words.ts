import type { Response } from '../api.ts';

export type Integration = Response<'GET /api/admin/addons/:id'>;
export type Provider = Response<'GET /api/admin/addons'>['providers'][number];
export type Delivery = Response<'GET /api/admin/addons/:id/deliveries'>['deliveries'][number];
export type Attempt =
  Response<'GET /api/admin/addons/:id/events/:recordId'>['details']['attempts'][number];

/** What people call an integration: what somebody wrote, else what it is. */
export const nameOf = (
  { description, provider, id }: Pick<Integration, 'description' | 'provider' | 'id'>,
  providers: readonly Provider[] = [],
): string =>
  description ||
  `${providers.find(({ name }) => name === provider)?.displayName ?? provider} ${id}`;

type Condition = 'disabled' | 'paused' | 'held' | 'failing' | 'waiting' | 'working';

/** How an integration is doing; what stops everything comes first. */
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
  held: { label: 'Told to wait', color: 'yellow' },
  failing: { label: 'Failing', color: 'red' },
  waiting: { label: 'Sending', color: 'teal' },
  working: { label: 'Working', color: 'green' },
};

/** The state of a delivery, in a word. */
export const stateWords = {
  pending: { label: 'Waiting', color: 'blue' },
  delivered: { label: 'Delivered', color: 'green' },
  givenUp: { label: 'Given up', color: 'red' },
} as const;

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
  ['Segments', /^segment-/],
  ['Environments', /^environment-/],
  ['Context fields, types and tags', /^context-field-|^strategy-|^tag-|^feature-type-/],
  [
    'People and access',
    /^user-|^group-|^role-|^pat-|^service-account-|^public-signup-|^api-token-/,
  ],
  ['Integrations', /^addon-/],
];

const others = 'Everything else';

/** The event types of a provider, by subject. */
export function groupTypes(
  types: readonly string[],
): readonly { readonly title: string; readonly types: readonly string[] }[] {
  const titleOf = (type: string) => groups.find(([, pattern]) => pattern.test(type))?.[0] ?? others;
  return [...groups.map(([title]) => title), others]
    .map((title) => ({ title, types: types.filter((type) => titleOf(type) === title) }))
    .filter((group) => group.types.length > 0);
}

/** What most people want to hear of first. */
export const firstTypes: readonly string[] = [
  'feature-created',
  'feature-archived',
  'feature-environment-enabled',
  'feature-environment-disabled',
];
