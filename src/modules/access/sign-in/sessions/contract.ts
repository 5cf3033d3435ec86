import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant } from '../../../../platform/contract/schema.ts';

const tag = 'Sessions';
const own = '/api/admin/user/sessions';
const ofOthers = '/api/admin/user-admin/:id/sessions';

const SessionSchema = Type.Object({
  id: Type.String({ format: 'uuid' }),
  createdAt: instant,
  seenAt: Type.String({ format: 'date-time', description: 'With a precision of one minute' }),
  expiresAt: instant,
  ip: Type.Optional(Type.String({ description: 'IP address at sign-in' })),
  userAgent: Type.Optional(Type.String()),
  current: Type.Boolean({ description: 'Whether it is the session of this request' }),
});
export type Session = Static<typeof SessionSchema>;

const response = Type.Object({ sessions: Type.Array(SessionSchema) });

/** Not the format uuid, which accepts urn:uuid: and the database does not. */
const id = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  'x-fault': 'must be the ID of a session',
});
const userId = Type.String({ description: 'ID of a user' });

export const sessionContract = {
  listOwnSessions: endpoint({
    method: 'GET',
    path: own,
    id: 'getOwnSessions',
    tag,
    summary: 'List your sessions, most recently used first',
    permission: 'none',
    response,
  }),

  endOwnSession: endpoint({
    method: 'DELETE',
    path: `${own}/:id`,
    id: 'deleteOwnSession',
    tag,
    summary: 'End one of your sessions',
    permission: 'none',
    duringMaintenance: true,
    params: Type.Object({ id }),
  }),

  endOtherSessions: endpoint({
    method: 'DELETE',
    path: own,
    id: 'deleteOtherSessions',
    tag,
    summary: 'End all your other sessions',
    permission: 'none',
    duringMaintenance: true,
  }),

  listSessionsOf: endpoint({
    method: 'GET',
    path: ofOthers,
    id: 'getUserSessions',
    tag,
    summary: "List a user's sessions, most recently used first",
    permission: 'ADMIN',
    params: Type.Object({ id: userId }),
    response,
  }),

  endSessionsOf: endpoint({
    method: 'DELETE',
    path: ofOthers,
    id: 'deleteUserSessions',
    tag,
    summary: 'End all sessions of a user',
    permission: 'ADMIN',
    duringMaintenance: true,
    params: Type.Object({ id: userId }),
  }),

  endSessionOf: endpoint({
    method: 'DELETE',
    path: `${ofOthers}/:sessionId`,
    id: 'deleteUserSession',
    tag,
    summary: 'End one session of a user',
    permission: 'ADMIN',
    duringMaintenance: true,
    params: Type.Object({ id: userId, sessionId: id }),
  }),
};
