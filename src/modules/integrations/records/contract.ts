import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { dictionary, instant, named, oneOf } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../../events/event-schema.ts';
import type { Attempt } from '../delivery/attempt-schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';

export const day = (what: string) =>
  Type.String({
    pattern: '^(IS:)?\\d{4}-\\d{2}-\\d{2}$',
    description: `${what}, a UTC day: \`yyyy-MM-dd\``,
    'x-fault': 'must be a day, such as 2026-01-31',
  });

const ExchangeSchema = Type.Object({
  request: Type.Object({
    method: Type.String(),
    url: Type.String({ description: 'Without what is secret: the path of a webhook is' }),
    headers: dictionary(Type.String(), 'Secret ones masked'),
  }),
  response: Type.Optional(
    Type.Object({
      status: Type.Integer(),
      headers: dictionary(Type.String(), 'Names in lower case'),
      body: Type.String({ description: 'The first 2 kB' }),
    }),
  ),
  error: Type.Optional(Type.String({ description: 'Why there was no answer' })),
  latencyMs: Type.Number(),
});

const AttemptSchema = Type.Object({
  at: instant,
  state: oneOf(['success', 'successWithErrors', 'failed', 'interrupted']),
  stateDetails: Type.String(),
  status: Type.Optional(Type.Integer({ description: 'Of the last answer' })),
  latencyMs: Type.Optional(Type.Number()),
  error: Type.Optional(Type.String()),
  nextAttemptAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Left out: that was the last attempt' }),
  ),
  exchanges: Type.Array(ExchangeSchema),
});

const recordStates = ['success', 'successWithErrors', 'failed'] as const;

const recordState = oneOf(
  recordStates,
  'Of the latest attempt. `successWithErrors`: delivered, with a part wrong',
);

const stateDetails = Type.String({ description: 'What became of it, for people' });

const DetailsSchema = Type.Object(
  {
    url: Type.Optional(Type.String({ description: 'Where it went, masked' })),
    attempts: Type.Unsafe<readonly Attempt[]>(
      Type.Array(AttemptSchema, { description: 'Oldest first; of very many the newest' }),
    ),
  },
  { additionalProperties: true, description: 'What was said, in the words of the provider' },
);

const RecordSchema = named(
  'integrationEventSchema',
  Type.Object({
    id: Type.String({ format: 'uuid', description: 'Also the webhook-id' }),
    integrationId: Type.Integer(),
    createdAt: instant,
    state: recordState,
    stateDetails,
    event: EventSchema,
    details: DetailsSchema,
  }),
);

const TestedSchema = Type.Object({ state: recordState, stateDetails, details: DetailsSchema });
export type Tested = Static<typeof TestedSchema>;

const anyState = recordStates.join('|');

const text = (description: string) => Type.Optional(Type.String({ description }));

const recordParams = Type.Object({
  ...params.properties,
  recordId: Type.String({ description: 'Id of the record, which is its webhook-id' }),
});

export const recordContract = {
  listRecords: endpoint({
    method: 'GET',
    path: `${path}/:id/events`,
    id: 'getIntegrationEvents',
    tag,
    summary: 'What became of the events that an integration was to be told',
    description:
      'One record for each event, made after the first attempt; newest first. Its state is that of the ' +
      'latest attempt; its id and its place in the list never change. Records of projects that you ' +
      'may not see are left out.',
    permission: mayEdit,
    params,
    query: Type.Object({
      limit: text('Number of records in a page; default 50, more than 1000 is served as 1000'),
      offset: text('Number of records to skip; default 0'),
      state: Type.Optional(
        Type.String({
          pattern: `^((IS:)?(${anyState})|IS_ANY_OF: *(${anyState})( *, *(${anyState}))* *)$`,
          description: `State of the latest attempt: ${recordStates.join(', ')}, or \`IS_ANY_OF:success,failed\``,
          'x-fault': `must be one of ${recordStates.join(', ')}, or IS_ANY_OF: and several of them`,
        }),
      ),
      from: Type.Optional(day('First day on which the record was made')),
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
    summary: 'What became of one event that an integration was to be told',
    permission: mayEdit,
    params: recordParams,
    response: RecordSchema,
  }),

  testIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/test`,
    id: 'testAddon',
    tag,
    summary: 'Send a made-up event at once, and see what the receiver says',
    description:
      'One attempt, also for an integration that is off or paused. Nothing is recorded. A receiver that ' +
      'refuses is no error of this request: `state` says so.',
    permission: mayEdit,
    duringMaintenance: true,
    params,
    response: TestedSchema,
  }),
};
