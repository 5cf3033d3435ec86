import { type Static, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import {
  describing,
  descriptionOrNull,
  dictionary,
  instant,
  named,
} from '../../../platform/contract/schema.ts';
import { TagSchema } from '../../catalogue/tags/tag-schema.ts';

/** Replaces secrets in responses. */
export const stars = '*****';

const DeliverySummarySchema = Type.Object(
  {
    pending: Type.Integer({ description: 'Number of pending deliveries' }),
    lastError: Type.Optional(
      Type.String({ description: 'Error of the newest failed delivery that waits for a retry' }),
    ),
    givenUp: Type.Integer({
      description:
        'Number of failed deliveries that can be redelivered while their records are stored',
    }),
    successRate: Type.Optional(
      Type.Number({
        description:
          'Share of successful deliveries among the newest 1,000 of the last 24 hours; omitted without attempts',
      }),
    ),
    lastAttemptAt: Type.Optional({ ...instant, description: 'Time of the last attempt' }),
    oldestPendingAt: Type.Optional({
      ...instant,
      description: 'Time of the oldest pending delivery',
    }),
    nextAttemptAt: Type.Optional({
      ...instant,
      description: 'Omitted while the integration is disabled or paused',
    }),
    heldUntil: Type.Optional({
      ...instant,
      description: 'Time until which the endpoint throttles deliveries',
    }),
  },
  { description: 'Summary of the deliveries' },
);

const TroubleSchema = Type.Object(
  {
    at: instant,
    recordId: Type.String({ description: 'ID of the record with the details' }),
    message: Type.String(),
  },
  {
    description: 'Error of the last delivery that failed permanently; omitted if there is none',
  },
);

const WithheldSchema = Type.Object(
  {
    accountDeleted: Type.Boolean({
      description: 'Whether the account that last saved the integration no longer exists',
    }),
    privateProjects: Type.Array(Type.String(), {
      description: 'Private projects in the filter that you can see and that account cannot',
    }),
    otherPrivateProjects: Type.Boolean({
      description: 'Whether events from other private projects may be withheld',
    }),
    eventsOutsideProjects: Type.Boolean(),
    deletedProjects: Type.Array(Type.String(), {
      description: 'Projects in the filter that were deleted',
    }),
    sentIfSaved: Type.Boolean({
      description: 'Whether more events are sent if you save the integration unchanged',
    }),
  },
  {
    description:
      'What is not sent although the filters match: an integration sends only what the account that last saved it can see. Omitted if nothing is withheld',
  },
);

export const IntegrationSchema = named(
  'addonSchema',
  Type.Object({
    id: Type.Integer(),
    provider: Type.String({ description: 'Name of the provider' }),
    description: descriptionOrNull,
    enabled: Type.Boolean(),
    parameters: dictionary(Type.String(), `Secrets are masked as ${stars}`),
    events: Type.Array(Type.String(), { description: 'Event types to send' }),
    projects: Type.Array(Type.String(), {
      description:
        'Projects whose events are sent; empty: all. Projects that you cannot see are omitted',
    }),
    environments: Type.Array(Type.String(), {
      description: 'Environments whose events are sent; empty: all',
    }),
    tags: Type.Array(TagSchema, {
      description:
        'Only events of features with one of these tags; empty: all events, including those without a feature',
    }),
    inOrder: Type.Boolean({
      description:
        'Whether an event waits until earlier events are delivered or failed permanently',
    }),
    retentionDays: Type.Integer({ description: 'Retention period of the records' }),
    notTold: Type.Optional(
      Type.String({
        description: '`withheld` in a sentence. Omitted if nothing is withheld',
      }),
    ),
    withheld: Type.Optional(WithheldSchema),
    createdAt: instant,
    paused: Type.Boolean({ description: 'While paused, events are queued' }),
    pausedAt: Type.Optional(instant),
    trouble: Type.Optional(TroubleSchema),
    delivery: DeliverySummarySchema,
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
        { description: 'Generated secrets, if none were sent. Returned only once' },
      ),
    ),
  }),
);
export type CreatedIntegration = Static<typeof CreatedIntegrationSchema>;

/** Write-only: no error message repeats a value. */
const parameters = Type.Unsafe<Record<string, string | number | boolean>>({
  ...dictionary(
    Type.Unsafe<string | number | boolean>({
      type: ['string', 'number', 'boolean'],
      writeOnly: true,
    }),
    `Parameters of the provider. Numbers and booleans are stored as strings. ${stars} keeps a stored secret; an empty string removes an optional one`,
  ),
  writeOnly: true,
});

const names = (what: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 1000,
    description: `${what} whose events are sent; empty, omitted, or with *: all`,
  });

const maxRetentionDays = 3650;
export const defaultRetentionDays = 30;

export const IntegrationInputSchema = named(
  'addonCreateUpdateSchema',
  Type.Object({
    provider: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.Optional(nullable(describing('Purpose of the integration'))),
    enabled: Type.Boolean(),
    parameters,
    events: Type.Array(Type.String(), {
      maxItems: 500,
      description: 'Event types to send; the provider must support them',
    }),
    projects: Type.Optional(names('Projects')),
    environments: Type.Optional(names('Environments')),
    tags: Type.Optional(
      Type.Array(TagSchema, {
        maxItems: 100,
        description:
          'Only events of features with one of these tags; empty: all events, including those without a feature',
      }),
    ),
    inOrder: Type.Optional(
      Type.Boolean({
        description:
          'Whether an event waits until earlier events are delivered or failed permanently',
      }),
    ),
    retentionDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxRetentionDays,
        description: `Retention period of the records; default ${defaultRetentionDays}`,
      }),
    ),
  }),
);
export type IntegrationInput = Static<typeof IntegrationInputSchema>;
