import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, oneOf } from '../../../../platform/contract/schema.ts';

const outcomes = ['signed-in', 'refused', 'throttled'] as const;
export type LoginOutcome = (typeof outcomes)[number];

/** The names with an underline are the reference product's. */
const LoginSchema = Type.Object({
  id: Type.Integer(),
  userId: Type.Optional(
    Type.Integer({ description: 'Absent: nobody has the name that was typed' }),
  ),
  username: Type.Optional(
    Type.String({ description: 'E-mail address, else user name; absent as the id is' }),
  ),
  auth_type: oneOf(['password', 'oidc'] as const, 'How the person proved who they are'),
  successful: Type.Boolean(),
  failure_reason: Type.Optional(oneOf(['refused', 'throttled'], 'Absent where it succeeded')),
  outcome: oneOf(outcomes, 'Refused attempts of one minute are one entry'),
  attempts: Type.Integer({ description: 'How many attempts the entry counts' }),
  ip: Type.String(),
  userAgent: Type.Optional(Type.String()),
  created_at: Type.Unsafe<string>({ ...instant, description: 'Of the first attempt' }),
  lastAt: Type.Unsafe<string>({ ...instant, description: 'Of the last attempt' }),
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
    id: 'getLoginHistory',
    tag: 'Instance Admin',
    summary: 'Who signed in and who was refused, the newest first by their first attempt',
    description: 'Kept for 180 days.',
    permission: 'READ_LOGS',
    query: LoginsQuerySchema,
    response: Type.Object({ events: Type.Array(LoginSchema) }),
    alsoProduces: { 'text/csv': 'One entry a line, after a line of names' },
  }),
};
