import { type Static, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  dictionary,
  instant,
  named,
} from '../../../platform/contract/schema.ts';
import { TagSchema } from '../../catalogue/tags/contract.ts';

/** What stands in the place of a secret, wherever one would be shown. */
export const stars = '*****';

const DeliveryGlanceSchema = Type.Object(
  {
    pending: Type.Integer({ description: 'Deliveries that are still to be made' }),
    lastError: Type.Optional(
      Type.String({ description: 'Why the newest of those that failed waits for another attempt' }),
    ),
    givenUp: Type.Integer({
      description:
        'Deliveries that were given up and can be sent again, as long as records are kept',
    }),
    oldestPendingAt: Type.Optional({
      ...instant,
      description: 'Since when the oldest of them waits',
    }),
    nextAttemptAt: Type.Optional({
      ...instant,
      description: 'Left out while nothing is sent: it is switched off or paused',
    }),
    heldUntil: Type.Optional({
      ...instant,
      description: 'The receiver asked for patience until then',
    }),
  },
  { description: 'What is on its way, at a glance' },
);

const TroubleSchema = Type.Object(
  {
    at: instant,
    recordId: Type.String({ description: 'The record that tells all of it' }),
    message: Type.String(),
  },
  {
    description:
      'Why the last event that was given up could not be told; left out when all is well',
  },
);

export const IntegrationSchema = named(
  'addonSchema',
  Type.Object({
    id: Type.Integer(),
    provider: Type.String({ description: 'Name of the kind of receiver' }),
    description: descriptionOrNull,
    enabled: Type.Boolean(),
    parameters: dictionary(Type.String(), `Secrets are shown as ${stars}`),
    events: Type.Array(Type.String(), { description: 'The event types that it is told' }),
    projects: Type.Array(Type.String(), {
      description:
        'Of which projects it is told; empty: of all. Those that you may not see are left out',
    }),
    environments: Type.Array(Type.String(), {
      description: 'Of which environments it is told; empty: of all',
    }),
    tags: Type.Array(TagSchema, {
      description:
        'Only events of features that have one of these tags are told; empty: all, also those of no feature',
    }),
    inOrder: Type.Boolean({
      description: 'Whether an event waits until those before it are told or given up',
    }),
    retentionDays: Type.Integer({ description: 'For how long its records are kept' }),
    notTold: Type.Optional(
      Type.String({
        description:
          'What it does not tell although its filters would let it through, and why. It tells what the account that last changed it sees at the moment. Left out when nothing is held back',
      }),
    ),
    createdAt: instant,
    paused: Type.Boolean({ description: 'While it is, events wait for it' }),
    pausedAt: Type.Optional(instant),
    trouble: Type.Optional(TroubleSchema),
    delivery: DeliveryGlanceSchema,
  }),
);
export type Integration = Static<typeof IntegrationSchema>;

export const CreatedIntegrationSchema = named(
  'addonSchema',
  Type.Object({
    ...IntegrationSchema.properties,
    generated: Type.Optional(
      Type.Object(
        { signingSecret: Type.String() },
        { description: 'Secrets that we made, since none were sent. No later answer shows them' },
      ),
    ),
  }),
);
export type CreatedIntegration = Static<typeof CreatedIntegrationSchema>;

/** Write-only: no message repeats what was sent. */
const parameters = Type.Unsafe<Record<string, string | number | boolean>>({
  ...dictionary(
    Type.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      writeOnly: true,
    }),
    `What the provider asks for. Numbers and booleans are stored as text. ${stars} keeps a secret as it is stored; an empty text takes an optional one away`,
  ),
  writeOnly: true,
});

const names = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 1000,
    description: `Of which ${what} it is told; empty, left out or with * in it: of all`,
  });

const maxRetentionDays = 3650;
export const defaultRetentionDays = 30;

export const IntegrationWishSchema = named(
  'addonCreateUpdateSchema',
  Type.Object({
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.Optional(nullable(describing('What the integration is for'))),
    enabled: Type.Boolean(),
    parameters,
    events: Type.Array(Type.String(), {
      maxItems: 500,
      description: 'The event types that it is told, of those that the provider takes',
    }),
    projects: Type.Optional(names('projects')),
    environments: Type.Optional(names('environments')),
    tags: Type.Optional(
      Type.Array(TagSchema, {
        maxItems: 100,
        description:
          'Only events of features that have one of these tags are told; empty: all, also those of no feature',
      }),
    ),
    inOrder: Type.Optional(
      Type.Boolean({
        description: 'Whether an event waits until those before it are told or given up',
      }),
    ),
    retentionDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxRetentionDays,
        description: `For how long its records are kept; ${defaultRetentionDays} where nobody says`,
      }),
    ),
  }),
);
export type IntegrationWish = Static<typeof IntegrationWishSchema>;
