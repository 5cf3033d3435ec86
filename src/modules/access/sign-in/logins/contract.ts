import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, oneOf } from '../../../../platform/contract/schema.ts';

const outcomes = ['signed-in', 'refused', 'throttled'] as const;
export type LoginOutcome = (typeof outcomes)[number];

/** Names with underscores are those of the reference product. */
const LoginSchema = Type.Object({
  id: Type.Integer(),
  userId: Type.Optional(
    Type.Integer({ description: 'Omitted if no account has the submitted name' }),
  ),
  username: Type.Optional(
    Type.String({
      description: 'Email address, or username if there is none; omitted like the ID',
    }),
  ),
  auth_type: oneOf(['password', 'oidc'] as const, 'Authentication method'),
  successful: Type.Boolean(),
  failure_reason: Type.Optional(oneOf(['refused', 'throttled'], 'Omitted on success')),
  outcome: oneOf(outcomes, 'Refused attempts within one minute are one entry'),
  attempts: Type.Integer({ description: 'Number of attempts in the entry' }),
  ip: Type.String(),
  userAgent: Type.Optional(Type.String()),
  created_at: Type.Unsafe<string>({ ...instant, description: 'Time of the first attempt' }),
  lastAt: Type.Unsafe<string>({ ...instant, description: 'Time of the last attempt' }),
});
export type Login = Static<typeof LoginSchema>;

/** In the order of the schema. */
export const loginColumns = Object.keys(LoginSchema.properties) as (keyof Login)[];

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
      description: 'Only sign-ins of this user',
      'x-fault': 'must be the ID of a user',
    }),
  ),
  outcome: Type.Optional(oneOf(outcomes, 'Only sign-ins with this result')),
  before: wholeNumber('Only entries with a smaller ID; use the last ID of the previous page'),
  limit: Type.Optional(
    Type.String({
      pattern: '^([1-9][0-9]{0,2}|1000)$',
      description: 'Page size; default 100',
      'x-fault': 'must be a whole number from 1 to 1000',
    }),
  ),
});
export type LoginsQuery = Static<typeof LoginsQuerySchema>;

export const loginsContract = {
  getLogins: endpoint({
    method: 'GET',
    path: '/api/admin/logins',
    id: 'getLoginHistory',
    tag: 'Instance Admin',
    summary: 'List sign-ins, newest first',
    description:
      'Includes refused attempts. Sorted by the time of the first attempt. Entries are stored for 180 days.',
    permission: 'READ_LOGS',
    query: LoginsQuerySchema,
    response: Type.Object({ events: Type.Array(LoginSchema) }),
    alsoProduces: { 'text/csv': 'A header line, then one entry per line' },
  }),
};
