import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { dictionary, instant, named, oneOf } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../../events/event-schema.ts';
import type { Attempt } from '../delivery/attempt-schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';

export const day = (what: string) =>
  Type.String({
    pattern: '^(IS:)?\\d{4}-\\d{2}-\\d{2}$',
    description: `${what} (UTC): \`yyyy-MM-dd\``,
    'x-fault': 'must be a day, such as 2026-01-31',
  });

const ExchangeSchema = Type.Object({
  request: Type.Object({
    method: Type.String(),
    url: Type.String({ description: 'Without secrets, such as the path of a webhook' }),
    headers: dictionary(Type.String(), 'Secret headers are masked'),
  }),
  response: Type.Optional(
    Type.Object({
      status: Type.Integer(),
      headers: dictionary(Type.String(), 'Names in lower case'),
      body: Type.String({ description: 'The first 2 kB' }),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Error, if there was no response' })),
  latencyMs: Type.Number(),
});

const AttemptSchema = Type.Object({
  at: instant,
  state: oneOf(['success', 'successWithErrors', 'failed', 'interrupted']),
  stateDetails: Type.String(),
  status: Type.Optional(Type.Integer({ description: 'Status of the last response' })),
  latencyMs: Type.Optional(Type.Number()),
  error: Type.Optional(Type.String()),
  nextAttemptAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Omitted after the last attempt' }),
  ),
  exchanges: Type.Array(ExchangeSchema),
});

const recordStates = ['success', 'successWithErrors', 'failed'] as const;

const recordState = oneOf(
  recordStates,
  'State of the latest attempt. `successWithErrors`: delivered, but partly failed',
);

const stateDetails = Type.String({ description: 'Readable result' });

const DetailsSchema = Type.Object(
  {
    url: Type.Optional(Type.String({ description: 'Target URL, masked' })),
    attempts: Type.Unsafe<readonly Attempt[]>(
      Type.Array(AttemptSchema, {
        description: 'Oldest first; if there are very many, only the newest',
      }),
    ),
  },
  { additionalProperties: true, description: "The message in the provider's format" },
);

const RecordSchema = named(
  'integrationEventSchema',
  Type.Object({
    id: Type.String({ format: 'uuid', description: 'Also the webhook-id' }),
    integrationId: Type.Integer(),
    createdAt: instant,
    state: recordState,
    stateDetails,
    redeliveredAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'When it was last redelivered on request' }),
    ),
    redeliveredBy: Type.Optional(
      Type.String({ description: 'Who requested it; omitted after an erasure' }),
    ),
    event: EventSchema,
    details: DetailsSchema,
  }),
);

/** What one delivery led to. */
export const DeliveryResultSchema = Type.Object({
  state: recordState,
  stateDetails,
  details: DetailsSchema,
});
export type DeliveryResult = Static<typeof DeliveryResultSchema>;

const anyState = recordStates.join('|');

const text = (description: string) => Type.Optional(Type.String({ description }));

const recordParams = Type.Object({
  ...params.properties,
  recordId: Type.String({ description: 'ID of the record, which is the webhook-id' }),
});

export const recordContract = {
  listRecords: endpoint({
    method: 'GET',
    path: `${path}/:id/events`,
    id: 'getIntegrationEvents',
    tag,
    summary: 'List the delivery records of an integration',
    description:
      'One record per event, created after the first attempt; newest first. The state is that of the ' +
      'latest attempt; the ID and the position in the list never change. Records of projects that you ' +
      'cannot see are omitted.',
    permission: mayEdit,
    params,
    query: Type.Object({
      limit: text('Page size; default 50, maximum 1000'),
      offset: text('Number of records to skip; default 0'),
      state: Type.Optional(
        Type.String({
          pattern: `^((IS:)?(${anyState})|IS_ANY_OF: *(${anyState})( *, *(${anyState}))* *)$`,
          description: `State of the latest attempt: ${recordStates.join(', ')}, or \`IS_ANY_OF:success,failed\``,
          'x-fault': `must be one of ${recordStates.join(', ')}, or IS_ANY_OF: and several of them`,
        }),
      ),
      from: Type.Optional(day('First day on which the record was created')),
      to: Type.Optional(day('Last day, inclusive')),
      event: text('Event id: a number, or `IS_ANY_OF:1,2`'),
      type: text('Event type: a name, or `IS_ANY_OF:feature-created,feature-archived`'),
    }),
    response: named(
      'integrationEventsSchema',
      Type.Object({ integrationEvents: Type.Array(RecordSchema) }),
    ),
  }),

  getRecord: endpoint({
    method: 'GET',
    path: `${path}/:id/events/:recordId`,
    id: 'getIntegrationEvent',
    tag,
    summary: 'Get a delivery record of an integration',
    permission: mayEdit,
    params: recordParams,
    response: RecordSchema,
  }),
};
