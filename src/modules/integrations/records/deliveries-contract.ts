import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { instant, oneOf } from '../../../platform/contract/schema.ts';
import { IntegrationSchema } from '../configuration/integration-schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';
import { day } from './contract.ts';

const deliveryState = oneOf(
  ['pending', 'delivered', 'givenUp'],
  '`pending`: still to be made. `givenUp`: not tried any more',
);
export type DeliveryState = Static<typeof deliveryState>;

const DeliverySchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Also the id of its record, and the webhook-id' }),
  integrationId: Type.Integer(),
  eventId: Type.Integer(),
  eventType: Type.String(),
  featureName: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  createdAt: instant,
  state: deliveryState,
  attempts: Type.Integer({
    description: 'Attempts since its schedule began; a redelivery begins it anew, with none',
  }),
  maxAttempts: Type.Integer({ description: 'Attempts before it is given up' }),
  lastAttemptAt: Type.Optional(instant),
  nextAttemptAt: Type.Optional(instant),
  why: Type.String({ description: 'Why it is where it is, for people' }),
});
export type Delivery = Static<typeof DeliverySchema>;

const StatisticsSchema = Type.Object({
  from: Type.String({
    format: 'date-time',
    description: 'Where the figures begin: later than asked for when there are over 10,000 records',
  }),
  to: instant,
  attempted: Type.Integer({ description: 'Records made in this time' }),
  delivered: Type.Integer(),
  givenUp: Type.Integer(),
  byState: Type.Object({
    success: Type.Integer(),
    successWithErrors: Type.Integer(),
    failed: Type.Integer({ description: 'Their latest attempt failed, given up or not' }),
  }),
  successRate: Type.Optional(
    Type.Number({ description: '0 to 1; left out when nothing was attempted' }),
  ),
  latencyMs: Type.Optional(
    Type.Object(
      { p50: Type.Number(), p95: Type.Number() },
      { description: 'Of the latest attempts; left out when there are none' },
    ),
  ),
  pending: Type.Integer({ description: 'The backlog of this moment, of whatever age' }),
  oldestPendingAt: Type.Optional(instant),
  nextAttemptAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'When the next pending one is due' }),
  ),
});
export type Statistics = Static<typeof StatisticsSchema>;

const RedeliverySchema = Type.Object({
  state: withDefault(
    oneOf(
      ['givenUp', 'delivered', 'all', 'failed'],
      'Those given up, those delivered, or both. `failed` is another word for `givenUp`',
    ),
    'givenUp',
  ),
  from: Type.Optional(nullable(day('First day on which the record was made'))),
  to: Type.Optional(nullable(day('Last day, inclusive'))),
  type: Type.Optional(
    nullable(Type.String({ description: 'Event type: a name, or `IS_ANY_OF:` and several' })),
  ),
  afterEvent: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only of events behind this one: the `lastEvent` of the answer before',
      }),
    ),
  ),
});
export type Redelivery = Static<typeof RedeliverySchema>;

export const deliveryContract = {
  listDeliveries: endpoint({
    method: 'GET',
    path: `${path}/:id/deliveries`,
    id: 'getAddonDeliveries',
    tag,
    summary: 'What an integration is to be told, what it was told, and what was given up',
    description:
      'Those before their first attempt too. Newest first. `why` says what a pending one waits for. ' +
      'Deliveries of projects that you may not see are left out, also from the total.',
    permission: mayEdit,
    params,
    query: Type.Object({
      state: Type.Optional(deliveryState),
      limit: Type.Optional(
        Type.String({ description: 'Default 50, more than 1000 is served as 1000' }),
      ),
      offset: Type.Optional(Type.String({ description: 'Number to skip; default 0' })),
    }),
    response: Type.Object({
      deliveries: Type.Array(DeliverySchema),
      total: Type.Object({ pending: Type.Integer({ minimum: 0 }) }),
    }),
  }),

  redeliver: endpoint({
    method: 'POST',
    path: `${path}/:id/events/:recordId/redeliver`,
    id: 'redeliverIntegrationEvent',
    tag,
    summary: 'Deliver an event again',
    description:
      'Under the same record and webhook-id, with the same body, and with a whole schedule of attempts. ' +
      'What is pending already is brought forward to now.',
    permission: mayEdit,
    params: Type.Object({
      ...params.properties,
      recordId: Type.String({ description: 'Id of the record, or of the delivery' }),
    }),
    status: 202,
    response: DeliverySchema,
  }),

  redeliverMany: endpoint({
    method: 'POST',
    path: `${path}/:id/redeliver`,
    id: 'redeliverIntegrationEvents',
    tag,
    summary: 'Deliver again what was given up, or a range',
    description:
      'Without a body: all that were given up. At most 10,000 a request, oldest first. While `more` is true, ask again with `afterEvent` set to the ' +
      '`lastEvent` of the answer.',
    permission: mayEdit,
    params,
    body: withDefault(RedeliverySchema, { state: 'givenUp' }),
    status: 202,
    response: Type.Object({
      redelivered: Type.Integer({ minimum: 0 }),
      more: Type.Boolean({ description: 'Whether there are others behind these' }),
      lastEvent: Type.Optional(Type.Integer({ description: 'The newest event among them' })),
    }),
  }),

  pauseIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/pause`,
    id: 'pauseAddon',
    tag,
    summary: 'Pause an integration: events wait for it, and none is lost',
    permission: mayEdit,
    params,
    response: IntegrationSchema,
  }),

  resumeIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/resume`,
    id: 'resumeAddon',
    tag,
    summary: 'Resume an integration: what waited for it is sent, the oldest first',
    permission: mayEdit,
    params,
    response: IntegrationSchema,
  }),

  getStatistics: endpoint({
    method: 'GET',
    path: `${path}/:id/statistics`,
    id: 'getAddonStatistics',
    tag,
    summary: 'How an integration does: success rate, latency and backlog',
    permission: mayEdit,
    params,
    query: Type.Object({
      hours: Type.Optional(
        Type.String({
          pattern: '^0*([1-9]|[1-9]\\d|[1-6]\\d\\d|7[01]\\d|720)$',
          description: 'How far back: 1 to 720; default 24',
          'x-fault': 'must be a whole number of hours, 1 to 720',
        }),
      ),
    }),
    response: StatisticsSchema,
  }),
};
