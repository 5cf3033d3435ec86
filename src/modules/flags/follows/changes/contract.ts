import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { EventSchema } from '../../../events/event-schema.ts';

export const defaultLimit = 20;
const maxLimit = 100;

/** Of a list of events, newest first. */
export const pageQuery = Type.Object({
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9]\\d?|100)$',
      description: `Page size; default ${defaultLimit}, maximum ${maxLimit}`,
      'x-fault': `must be a whole number from 1 to ${maxLimit}`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      pattern: '^\\d{1,15}$',
      description: 'The `nextCursor` of the previous response',
      'x-fault': "isn't a valid cursor",
    }),
  ),
});

export const pageProperties = {
  events: Type.Array(EventSchema),
  nextCursor: Type.Optional(
    Type.String({ description: 'Continues after this page; omitted at the end' }),
  ),
};

export const changesContract = {
  listChanges: endpoint({
    method: 'GET',
    path: '/api/admin/user/follows/changes',
    id: 'getFollowedChanges',
    tag: 'Following',
    summary: 'List changes to features and projects you follow',
    description:
      'Newest first. Contains only events that you can see at the moment, and no favorites.',
    permission: 'none',
    query: pageQuery,
    response: named('followedChangesSchema', Type.Object(pageProperties)),
  }),
};
