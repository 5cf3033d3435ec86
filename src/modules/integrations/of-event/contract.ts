import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { descriptionOrNull, oneOf } from '../../../platform/contract/schema.ts';
import { DeliverySchema } from '../deliveries/deliveries-contract.ts';
import { mayEdit, tag } from '../integration-path-schema.ts';

const reason = oneOf(
  [
    'createdLater',
    'disabled',
    'type',
    'project',
    'environment',
    'tags',
    'notVisible',
    'recordRemoved',
    'queued',
    'unknown',
  ],
  'Why there is no delivery. `notVisible`: the account that last saved the integration cannot see the event. `recordRemoved`: the record has expired. `queued`: the delivery is created in a moment',
);
export type Reason = Static<typeof reason>;

const IntegrationOfEventSchema = Type.Object({
  integrationId: Type.Integer(),
  provider: Type.String(),
  description: descriptionOrNull,
  outcome: oneOf(
    ['delivered', 'pending', 'failed', 'notSent'],
    '`failed`: failed permanently, or waiting for a retry after a failure',
  ),
  reason: Type.Optional(reason),
  why: Type.String({ description: 'Readable reason' }),
  delivery: Type.Optional(DeliverySchema),
});
export type IntegrationOfEvent = Static<typeof IntegrationOfEventSchema>;

export const ofEventContract = {
  listDeliveriesOfEvent: endpoint({
    method: 'GET',
    path: '/api/admin/search/events/:id/deliveries',
    id: 'getEventDeliveries',
    tag,
    summary: 'List the deliveries of an event',
    description:
      'For each integration: its delivery, or why the event was not sent to it. The reason follows the settings of the integration at the time of the event, if the event log still has them. Integrations that cover only projects you cannot see are omitted.',
    permission: mayEdit,
    params: Type.Object({ id: Type.String({ description: 'Event ID' }) }),
    response: Type.Object({
      eventId: Type.Integer(),
      integrations: Type.Array(IntegrationOfEventSchema),
    }),
  }),
};
