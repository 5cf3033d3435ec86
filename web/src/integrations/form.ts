import type { Request, Response } from '../api.ts';
import { fieldChange, plural } from '../ui/format.ts';
import { firstTypes, type Integration, type Provider } from './words.ts';

/** What the server shows instead of a secret; sent back, it keeps the secret. */
export const stars = '*****';

/** Shown in a part of their own: they are generated, and shown once. */
const signingNames: readonly string[] = ['signingSecret', 'previousSigningSecret'];

export const hasSigningSecret = ({ parameters }: Provider): boolean =>
  parameters.some(({ name }) => name === signingNames[0]);

export const fieldsOf = ({ parameters }: Provider) =>
  parameters.filter(({ name }) => !signingNames.includes(name));

type Tag = Response<'GET /api/admin/addons/:id'>['tags'][number];

export type Form = {
  readonly description: string;
  readonly enabled: boolean;
  readonly parameters: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  readonly tags: readonly Tag[];
  readonly inOrder: boolean;
  readonly retentionDays: number;
};

export const emptyForm = (provider: Provider): Form => ({
  description: '',
  enabled: true,
  parameters: {},
  events: firstTypes.filter((type) => provider.events.includes(type)),
  projects: [],
  environments: [],
  tags: [],
  inOrder: false,
  retentionDays: 30,
});

export const formOf = (integration: Integration): Form => ({
  description: integration.description ?? '',
  enabled: integration.enabled,
  parameters: Object.fromEntries(
    Object.entries(integration.parameters).filter(([name]) => !signingNames.includes(name)),
  ),
  events: integration.events,
  projects: integration.projects,
  environments: integration.environments,
  tags: integration.tags,
  inOrder: integration.inOrder,
  retentionDays: integration.retentionDays,
});

type Body = Request<'POST /api/admin/addons'>['body'];

export const bodyOf = (provider: string, form: Form): Body => ({
  provider,
  ...form,
  description: form.description.trim() || null,
  parameters: { ...form.parameters },
  events: [...form.events],
  projects: [...form.projects],
  environments: [...form.environments],
  tags: [...form.tags],
});

/** The fields that show what is wrong with them. */
export const faultFieldsOf = (provider: Provider) => [
  ...(['description', 'events', 'projects', 'environments', 'tags', 'retentionDays'] as const),
  ...fieldsOf(provider).map(({ name }) => `parameters.${name}` as const),
];

/** The first thing that is missing; the server checks the rest. */
export function missingIn(provider: Provider, { parameters, events }: Form): string | undefined {
  const missing = fieldsOf(provider).find(
    ({ name, required }) => required && !parameters[name]?.trim(),
  );
  if (missing) return `${missing.displayName} is required`;
  return events.length === 0 ? 'Select at least one event type' : undefined;
}

interface About {
  readonly provider: Provider;
  readonly nameOfProject: (id: string) => string;
}

type Describe<F extends keyof Form> = (before: Form[F], after: Form[F], about: About) => string;

/** What a change of a field is, in words. */
const words: { readonly [F in keyof Form]: Describe<F> } = {
  description: () => 'description',
  enabled: (_, after) => (after ? 'enabled' : 'disabled'),
  parameters: (before, after, { provider: { parameters } }) =>
    Object.keys({ ...before, ...after })
      .filter((name) => before[name] !== after[name])
      .map((name) => parameters.find((each) => each.name === name)?.displayName ?? name)
      .join(', '),
  events: (before, after) => {
    const added = after.filter((type) => !before.includes(type)).length;
    const removed = before.filter((type) => !after.includes(type)).length;
    return [
      ...(added > 0 ? [`${plural(added, 'event type')} added`] : []),
      ...(removed > 0 ? [`${plural(removed, 'event type')} removed`] : []),
    ].join(', ');
  },
  projects: (_, after, { nameOfProject }) =>
    `projects: ${after.length === 0 ? 'all' : after.map(nameOfProject).join(', ')}`,
  environments: (_, after) => `environments: ${after.length === 0 ? 'all' : after.join(', ')}`,
  tags: (_, after) =>
    after.length === 0
      ? 'tag filter removed'
      : `tags: ${after.map(({ type, value }) => `${type}:${value}`).join(', ')}`,
  inOrder: (_, after) => `deliver in order: ${after ? 'on' : 'off'}`,
  retentionDays: (before, after) => fieldChange('retention', String(before), plural(after, 'day')),
};

export const describeChange = <F extends keyof Form>(
  about: About,
  field: F,
  before: Form,
  after: Form,
): string => words[field](before[field], after[field], about);
