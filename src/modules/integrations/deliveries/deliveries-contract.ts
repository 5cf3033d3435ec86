import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { instant, oneOf } from '../../../platform/contract/schema.ts';
import { IntegrationSchema } from '../configuration/integration-schema.ts';
import { mayEdit, params, path, tag } from '../integration-path-schema.ts';
import { day } from './contract.ts';

const deliveryState = oneOf(
  ['pending', 'delivered', 'givenUp'],
  '`pending`: not delivered yet. `givenUp`: failed permanently, no further attempts',
);
export type DeliveryState = Static<typeof deliveryState>;

export const DeliverySchema = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Also the id of the record and the webhook-id' }),
  integrationId: Type.Integer(),
  eventId: Type.Integer(),
  eventType: Type.String(),
  featureName: Type.Optional(Type.String()),
  project: Type.Optional(Type.String()),
  environment: Type.Optional(Type.String()),
  createdAt: instant,
  state: deliveryState,
  attempts: Type.Integer({
    description: 'Attempts since the schedule started; a redelivery resets it to 0',
  }),
  maxAttempts: Type.Integer({ description: 'Attempts before the delivery fails permanently' }),
  lastAttemptAt: Type.Optional(instant),
  nextAttemptAt: Type.Optional(instant),
  why: Type.String({ description: 'Readable reason for the state' }),
});
export type Delivery = Static<typeof DeliverySchema>;

const PeriodSchema = Type.Object({
  from: Type.String({ format: 'date-time', description: 'Start of this part' }),
  success: Type.Integer(),
  successWithErrors: Type.Integer(),
  failed: Type.Integer(),
  latencyMs: Type.Optional(Type.Object({ p50: Type.Number(), p95: Type.Number() })),
});

const StatisticsSchema = Type.Object({
  from: Type.String({
    format: 'date-time',
    description: 'Start of the period; later than requested if there are over 10,000 records',
  }),
  to: instant,
  attempted: Type.Integer({ description: 'Records created in this period' }),
  delivered: Type.Integer(),
  givenUp: Type.Integer(),
  byState: Type.Object({
    success: Type.Integer(),
    successWithErrors: Type.Integer(),
    failed: Type.Integer({
      description: 'Records whose latest attempt failed, including those that failed permanently',
    }),
  }),
  successRate: Type.Optional(Type.Number({ description: '0 to 1; omitted without attempts' })),
  latencyMs: Type.Optional(
    Type.Object(
      { p50: Type.Number(), p95: Type.Number() },
      { description: 'Latency of the latest attempts; omitted without attempts' },
    ),
  ),
  periods: Type.Array(PeriodSchema, {
    description:
      'The same, divided by the time when records were created, oldest first: by hour up to 48 hours, by 6 hours up to 10 days, by day beyond that. All in UTC',
  }),
  pending: Type.Integer({ description: 'Current backlog of any age' }),
  oldestPendingAt: Type.Optional(instant),
  nextAttemptAt: Type.Optional(
    Type.String({ format: 'date-time', description: 'Time of the next attempt' }),
  ),
});
export type Statistics = Static<typeof StatisticsSchema>;

const RedeliverySchema = Type.Object({
  state: withDefault(
    oneOf(
      ['givenUp', 'delivered', 'all', 'failed'],
      'Deliveries that failed permanently, successful ones, or both. `failed` is an alias of `givenUp`',
    ),
    'givenUp',
  ),
  retrying: withDefault(
    Type.Boolean({
      description: 'Also retry deliveries now that wait for another attempt after a failed one',
    }),
    false,
  ),
  from: Type.Optional(nullable(day('First day on which the record was created'))),
  to: Type.Optional(nullable(day('Last day, inclusive'))),
  type: Type.Optional(
    nullable(Type.String({ description: 'Event type: a name, or `IS_ANY_OF:` and several names' })),
  ),
  since: Type.Optional(
    nullable({ ...instant, description: 'Only records created at this time or later' }),
  ),
  ids: Type.Optional(
    nullable(
      Type.Array(Type.String({ format: 'uuid' }), {
        maxItems: 1000,
        description: 'Only these deliveries; all other conditions apply too',
      }),
    ),
  ),
  afterEvent: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Only deliveries of later events; use the `lastEvent` of the previous response',
      }),
    ),
  ),
});
export type Redelivery = Static<typeof RedeliverySchema>;

const RedeliveryTaskSchema = Type.Object({
  startedAt: instant,
  startedBy: Type.Optional(
    Type.String({ description: 'Who started it; omitted if unknown, or after an erasure' }),
  ),
  total: Type.Integer({ description: 'Deliveries that it made pending or brought forward' }),
  pending: Type.Integer({ description: 'Not delivered yet' }),
  delivered: Type.Integer(),
  givenUp: Type.Integer(),
});
export type RedeliveryTask = Static<typeof RedeliveryTaskSchema>;

export const deliveryContract = {
  listDeliveries: endpoint({
    method: 'GET',
    path: `${path}/:id/deliveries`,
    id: 'getAddonDeliveries',
    tag,
    summary: 'List the deliveries of an integration',
    description:
      'Includes deliveries before their first attempt; newest first. `why` explains why a delivery is pending. ' +
      'Deliveries of projects that you cannot see are omitted and not counted.',
    permission: mayEdit,
    params,
    query: Type.Object({
      state: Type.Optional(deliveryState),
      from: Type.Optional(day('First day on which the delivery was created')),
      to: Type.Optional(day('Last day, inclusive')),
      event: Type.Optional(Type.String({ description: 'Event id: a number, or `IS_ANY_OF:1,2`' })),
      type: Type.Optional(
        Type.String({
          description: 'Event type: a name, or `IS_ANY_OF:feature-created,feature-archived`',
        }),
      ),
      limit: Type.Optional(Type.String({ description: 'Page size; default 50, maximum 1000' })),
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
    summary: 'Redeliver an event',
    description:
      'Uses the same record, webhook-id, and body, and starts a new schedule of attempts. ' +
      'A pending delivery is attempted now.',
    permission: mayEdit,
    params: Type.Object({
      ...params.properties,
      recordId: Type.String({ description: 'Id of the record or delivery' }),
    }),
    status: 202,
    response: DeliverySchema,
  }),

  redeliverMany: endpoint({
    method: 'POST',
    path: `${path}/:id/redeliver`,
    id: 'redeliverIntegrationEvents',
    tag,
    summary: 'Redeliver failed deliveries or a range',
    description:
      'Without a body: all deliveries that failed permanently. At most 10,000 per request, oldest first. While `more` is true, repeat the request with `afterEvent` set to the ' +
      '`lastEvent` of the response.',
    permission: mayEdit,
    params,
    body: withDefault(RedeliverySchema, { state: 'givenUp', retrying: false }),
    status: 202,
    response: Type.Object({
      redelivered: Type.Integer({ minimum: 0 }),
      startedAt: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'Identifies it in the list of redeliveries',
        }),
      ),
      more: Type.Boolean({ description: 'Whether more deliveries follow' }),
      lastEvent: Type.Optional(Type.Integer({ description: 'Id of the newest event among them' })),
    }),
  }),

  listRedeliveries: endpoint({
    method: 'GET',
    path: `${path}/:id/redeliveries`,
    id: 'getAddonRedeliveries',
    tag,
    summary: 'List the redeliveries of the past 7 days and their progress',
    description:
      'Newest first, at most 20. A delivery counts for the last redelivery that includes it. Deliveries of projects that you cannot see are not counted.',
    permission: mayEdit,
    params,
    response: Type.Object({ redeliveries: Type.Array(RedeliveryTaskSchema) }),
  }),

  pauseIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/pause`,
    id: 'pauseAddon',
    tag,
    summary: 'Pause an integration; events are queued',
    permission: mayEdit,
    params,
    response: IntegrationSchema,
  }),

  resumeIntegration: endpoint({
    method: 'POST',
    path: `${path}/:id/resume`,
    id: 'resumeAddon',
    tag,
    summary: 'Resume an integration and send its queued events',
    permission: mayEdit,
    params,
    response: IntegrationSchema,
  }),

  getStatistics: endpoint({
    method: 'GET',
    path: `${path}/:id/statistics`,
    id: 'getAddonStatistics',
    tag,
    summary: 'Get success rate, latency, and backlog of an integration',
    permission: mayEdit,
    params,
    query: Type.Object({
      hours: Type.Optional(
        Type.String({
          pattern: '^0*([1-9]|[1-9]\\d|[1-6]\\d\\d|7[01]\\d|720)$',
          description: 'Period in hours: 1 to 720; default 24',
          'x-fault': 'must be a whole number of hours, 1 to 720',
        }),
      ),
    }),
    response: StatisticsSchema,
  }),
};
