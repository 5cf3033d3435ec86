import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { instant, named, oneOf } from '../../../../platform/contract/schema.ts';
import { ChangeRequestSchema } from '../../change-requests/request-schema.ts';
import { scopeProperties, tag } from '../calendar-schema.ts';

/** Of one response. */
export const maxEntries = 1000;

export const entryStatuses = ['pending', 'suspended', 'failed', 'applied', 'canceled'] as const;

const CalendarEntrySchema = named(
  'calendarEntrySchema',
  Type.Object({
    id: Type.Integer({ description: 'ID of the change request' }),
    title: Type.String({ description: 'Generated if the request has none' }),
    project: Type.String(),
    environment: Type.String(),
    features: Type.Array(Type.String()),
    segments: Type.Array(Type.String(), { description: 'Names of segments' }),
    scheduledAt: instant,
    timeZone: Type.Optional(Type.String({ description: 'Time zone of the schedule' })),
    status: oneOf(
      entryStatuses,
      '`applied`: if it was applied before its time, `scheduledAt` is that moment. `canceled`: the request was edited, rejected, or canceled',
    ),
    reason: Type.Optional(Type.String({ description: 'Why it failed or is suspended' })),
    createdBy: ChangeRequestSchema.properties.createdBy,
  }),
);
export type CalendarEntry = Static<typeof CalendarEntrySchema>;

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', maxLength: 64, description }));

export const readContract = {
  getCalendar: endpoint({
    method: 'GET',
    path: '/api/admin/calendar',
    id: 'getCalendar',
    tag,
    summary: 'List scheduled changes',
    description: `Past and upcoming scheduled changes in the projects that you can see, ordered by time. At most ${maxEntries}.`,
    permission: 'none',
    query: Type.Object({
      ...scopeProperties,
      environment: Type.Optional(Type.String({ maxLength: 100, description: 'Name' })),
      status: Type.Optional(oneOf(entryStatuses)),
      from: time('The earliest time; 30 days ago if omitted'),
      to: time('Only times before this one'),
    }),
    response: named(
      'calendarSchema',
      Type.Object({
        entries: Type.Array(CalendarEntrySchema),
        truncated: Type.Boolean({ description: `Whether there are more than ${maxEntries}` }),
      }),
    ),
  }),

  getCalendarFile: endpoint({
    method: 'GET',
    path: '/api/admin/calendar.ics',
    id: 'getCalendarFile',
    tag,
    summary: 'Subscribe to scheduled changes',
    description:
      'An iCalendar file (RFC 5545) for calendar apps: the last 90 days and everything to come. The token is its only credential, and determines what it covers. Contains what the owner of the token can currently see. Returns 404 if the token is unknown or was revoked.',
    permission: 'public',
    throttled: true,
    notModified: true,
    query: Type.Object({
      token: Type.String({
        maxLength: 200,
        writeOnly: true,
        description: 'The secret of a calendar token',
      }),
    }),
    alsoProduces: { 'text/calendar': 'The events' },
  }),
};
