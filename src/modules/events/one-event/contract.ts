import { Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { listOf } from '../../../platform/contract/query-list.ts';
import { instant, named, oneOf } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../event-schema.ts';

/** Events of one request have neighbouring ids. This many before and after an event are searched. */
export const maxNeighbours = 1_000;

/** An event is seldom reverted twice, and each time makes it depend on one more. */
export const maxReverts = 100;

const ChainSchema = Type.Object(
  {
    state: oneOf(
      ['verified', 'checking', 'broken'],
      'Whether every event from the start of the log through this one is unchanged since it was recorded. checking: not known yet, repeat the request',
    ),
    hash: Type.String({ description: 'Hash of this event' }),
    previousHash: Type.String({
      description: 'Hash of the previous event, which the hash of this event covers',
    }),
    isLinked: Type.Boolean({
      description: 'Whether the hash matches the content of this event and the previous hash',
    }),
    firstId: Type.Integer({ description: 'First event of the retained log' }),
    verifiedThrough: Type.Integer({
      description: 'Last verified event; for callers who cannot see all events, at most this one',
    }),
    verifiedAt: nullable({ ...instant, description: 'When the last verified event was verified' }),
    fault: nullable(Type.String({ description: 'What is wrong, if the chain is broken' })),
  },
  {
    description:
      'The log is verified in the background when this is requested, and again after an hour. `burgee verify` checks more, and immediately',
  },
);

export const oneEventContract = {
  getEventLogState: endpoint({
    method: 'GET',
    path: '/api/admin/search/events/state',
    id: 'getEventLogState',
    tag: 'Events',
    summary: 'Get the size and integrity of the event log',
    permission: 'ADMIN',
    response: named(
      'eventLogStateSchema',
      Type.Object({
        firstId: Type.Integer({ description: 'First event of the retained log' }),
        lastId: Type.Integer({ description: 'Newest event' }),
        events: Type.Integer({ description: 'Number of retained events' }),
        sizeBytes: Type.Integer({ description: 'Size in the database, with its indexes' }),
        chain: Type.Object({
          state: ChainSchema.properties.state,
          verifiedThrough: Type.Integer({ description: 'Last verified event' }),
          verifiedAt: ChainSchema.properties.verifiedAt,
          fault: ChainSchema.properties.fault,
        }),
      }),
    ),
  }),

  getReverts: endpoint({
    method: 'GET',
    path: '/api/admin/search/events/reverts',
    id: 'getEventReverts',
    tag: 'Events',
    summary: 'Check which events were reverted',
    permission: 'none',
    query: Type.Object({
      id: listOf(
        Type.String({ pattern: '^[1-9]\\d{0,14}$', 'x-fault': 'must be the ID of an event' }),
        {
          description: 'Event IDs',
          maxItems: 200,
          commas: true,
        },
      ),
    }),
    response: named(
      'eventRevertsSchema',
      Type.Object({
        reverts: Type.Array(
          Type.Object({
            eventId: Type.Integer(),
            revertedBy: Type.Array(Type.Integer(), {
              description: `Later events that revert it, at most ${maxReverts}`,
            }),
            isReverted: Type.Boolean({
              description:
                'False if all of these were reverted themselves, so that the change is in effect again',
            }),
          }),
          { description: 'The events that were reverted, as far as you see them' },
        ),
      }),
    ),
  }),

  getEvent: endpoint({
    method: 'GET',
    path: '/api/admin/search/events/:id',
    id: 'getEvent',
    tag: 'Events',
    summary: 'Get an event with its request and its integrity',
    permission: 'none',
    params: Type.Object({ id: Type.String({ description: 'Event ID' }) }),
    response: named(
      'eventWithChainSchema',
      Type.Object({
        event: EventSchema,
        sameRequest: Type.Array(Type.Integer(), {
          description: `Ids of the events that the same request recorded, including this one; searched among the ${maxNeighbours} events before and after it`,
        }),
        chain: ChainSchema,
      }),
    ),
  }),
};
