import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/http/endpoint.ts';
import { instant, oneOf } from '../../../platform/http/schema.ts';

const outcomes = ['signed-in', 'refused', 'throttled'] as const;
export type LoginOutcome = (typeof outcomes)[number];

const LoginSchema = Type.Object({
  id: Type.Integer(),
  userId: Type.Optional(
    Type.Integer({ description: 'Absent: nobody has the name that was typed' }),
  ),
  user: Type.Optional(Type.String({ description: 'E-mail address, else user name' })),
  method: oneOf(['password', 'oidc'] as const, 'How the person proved who they are'),
  outcome: oneOf(outcomes, 'Refused attempts of one minute are one entry'),
  attempts: Type.Integer({ description: 'How many attempts the entry counts' }),
  ip: Type.String(),
  userAgent: Type.Optional(Type.String()),
  firstAt: instant,
  lastAt: instant,
});
export type Login = Static<typeof LoginSchema>;

const wholeNumber = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,14}$',
      description,
      'x-fault': 'must be a whole number of 1 or more',
    }),
  );

const LoginsQuerySchema = Type.Object({
  userId: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,8}$',
      description: 'Only log-ins of this person',
      'x-fault': 'must be the id of a person',
    }),
  ),
  outcome: Type.Optional(oneOf(outcomes, 'Only log-ins that ended so')),
  before: wholeNumber('Only entries with a smaller id: the last id of the page before'),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'How many, 100 unless told',
      'x-fault': 'must be a whole number from 1 to 1000',
    }),
  ),
});
export type LoginsQuery = Static<typeof LoginsQuerySchema>;

export const loginsContract = {
  getLogins: endpoint({
    method: 'GET',
    path: '/api/admin/logins',
    id: 'getLogins',
    tag: 'Sessions',
    summary: 'Who signed in and who was refused, the newest first by their first attempt',
    description: 'Kept for 180 days.',
    permission: 'READ_LOGS',
    query: LoginsQuerySchema,
    response: Type.Object({ logins: Type.Array(LoginSchema) }),
  }),
};
