import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { scopeProperties, tag } from '../calendar-schema.ts';

const path = '/api/admin/user/calendar-tokens';
const permission = 'none';

/** Of an account. */
export const maxTokens = 20;

const CalendarTokenSchema = named(
  'calendarTokenSchema',
  Type.Object({ id: Type.Integer(), ...scopeProperties, createdAt: instant }),
);
export type CalendarToken = Static<typeof CalendarTokenSchema>;

export const tokensContract = {
  listCalendarTokens: endpoint({
    method: 'GET',
    path,
    id: 'getCalendarTokens',
    tag,
    summary: 'List your calendar tokens',
    description: 'With what each of them covers. The secrets are not stored.',
    permission,
    response: named(
      'calendarTokensSchema',
      Type.Object({ tokens: Type.Array(CalendarTokenSchema) }),
    ),
  }),

  createCalendarToken: endpoint({
    method: 'POST',
    path,
    id: 'createCalendarToken',
    secretInResponse: true,
    tag,
    summary: 'Create a calendar token',
    description: `Its URL lets a calendar app read the scheduled changes of a feature, a project, or all projects that you can see, and nothing else. The secret is returned only here. An account can have up to ${maxTokens} tokens.`,
    permission,
    limitedPerAccount: true,
    body: named('createCalendarTokenSchema', Type.Object(scopeProperties)),
    response: named(
      'createdCalendarTokenSchema',
      Type.Object({
        ...CalendarTokenSchema.properties,
        secret: Type.String({ description: 'Shown only once' }),
        url: Type.String({ description: 'The address for calendar apps, with the secret' }),
      }),
    ),
    status: 201,
  }),

  deleteCalendarToken: endpoint({
    method: 'DELETE',
    path: `${path}/:id`,
    id: 'deleteCalendarToken',
    tag,
    summary: 'Revoke one of your calendar tokens',
    permission,
    limitedPerAccount: true,
    params: Type.Object({ id: Type.String() }),
  }),
};
