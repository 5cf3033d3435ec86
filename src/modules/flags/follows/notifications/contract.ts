import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { pageProperties, pageQuery } from '../changes/contract.ts';

const tag = 'Following';
const path = '/api/admin/user/follows/notifications';
const permission = 'none';

/** More are not counted. */
export const maxUnread = 100;

const readState = {
  unread: Type.Integer({
    minimum: 0,
    maximum: maxUnread,
    description: `How many are unread; ${maxUnread} means ${maxUnread} or more`,
  }),
  readUpTo: Type.Integer({
    minimum: 0,
    description: 'Notifications about events up to this ID are read',
  }),
};

const ReadStateSchema = named('notificationsReadSchema', Type.Object(readState));
export type ReadState = Static<typeof ReadStateSchema>;

export const notificationsContract = {
  listNotifications: endpoint({
    method: 'GET',
    path,
    id: 'getFollowNotifications',
    tag,
    summary: 'List notifications about features and projects you follow',
    description:
      'Changes that others made since you followed, newest first. Contains only events that you can currently see, and no favorites.',
    permission,
    query: pageQuery,
    response: named('followNotificationsSchema', Type.Object({ ...pageProperties, ...readState })),
  }),

  markNotificationsRead: endpoint({
    method: 'PUT',
    path: `${path}/read`,
    id: 'markFollowNotificationsRead',
    tag,
    summary: 'Mark notifications as read, on all your devices',
    description: 'A notification that is read stays read.',
    permission,
    limitedPerAccount: true,
    body: named(
      'markFollowNotificationsReadSchema',
      Type.Object({
        upTo: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
            description: 'The ID of the newest event to mark; omitted: all',
          }),
        ),
      }),
    ),
    response: ReadStateSchema,
  }),
};
