import { Type } from 'typebox';
import { endpoint, nullable } from '../../../platform/contract/endpoint.ts';
import { named, yesNo } from '../../../platform/contract/schema.ts';
import { EventSchema } from '../event-schema.ts';

/** Accepts the same strings as the specification's pattern, but without its quadratic backtracking. */
const isOperator = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS|IS_ANY_OF):.*$',
      description: `${what}: \`IS:value\`, or \`IS_ANY_OF:one,two\``,
      'x-fault': 'must begin with IS: or IS_ANY_OF: and stay on one line',
    }),
  );

const calendarDay = (what: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(IS):\\d{4}-\\d{2}-\\d{2}$',
      description: `${what} (UTC): \`IS:yyyy-MM-dd\``,
      'x-fault': 'must be IS: and a day, such as IS:2026-01-31',
    }),
  );

const text = (description: string) => Type.Optional(Type.String({ description }));

/** The filters of a search. */
export const FilterParameters = Type.Object({
  query: text(
    'Literal, case-insensitive part of the JSON of `data`, or of any key or value in it. No wildcards.',
  ),
  queryIn: text(
    'Fields that `query` searches: `data` (default), `preData`, `tags`, separated by commas',
  ),
  feature: isOperator('Feature name'),
  project: isOperator('Project ID'),
  type: isOperator('Event type'),
  originalType: isOperator(
    'Type that an imported event had in Unleash, if Burgee does not have this type',
  ),
  environment: isOperator('Environment name'),
  createdBy: isOperator('Creator (an integer is an ID, anything else an exact name)'),
  // Section 4.1 gives the parameters above two operators only, so exclusions have parameters of their own.
  notFeature: isOperator('Feature name to exclude; events without a feature match'),
  notProject: isOperator('Project ID to exclude; events without a project match'),
  notType: isOperator('Event type to exclude'),
  notEnvironment: isOperator('Environment name to exclude; events without an environment match'),
  notCreatedBy: isOperator('Creator to exclude (an integer is an ID, anything else an exact name)'),
  id: isOperator('Event ID'),
  from: calendarDay('First day'),
  to: calendarDay('Last day, inclusive'),
  createdAfter: text('Only events after this instant (RFC 3339)'),
  createdBefore: text('Only events before this instant (RFC 3339)'),
});

const SearchParameters = Type.Object({
  ...FilterParameters.properties,
  offset: text('Number of events to skip; default 0'),
  limit: text('Page size; default 50, maximum 1000'),
  order: text('`desc` (default): newest first. `asc`: oldest first'),
  cursor: text('The `nextCursor` of the previous response; costs the same at any depth'),
  hints: Type.Optional(
    Type.Unsafe<'true' | 'false'>({
      ...yesNo,
      description:
        'For a live stream: whether to send frames named `hint`. They contain the types of events that you cannot see but that concern something everyone can read, such as global segments',
    }),
  ),
});

const searchEvents = endpoint({
  method: 'GET',
  path: '/api/admin/search/events',
  id: 'searchEvents',
  tag: 'Events',
  summary: 'Search events',
  description:
    'Sorted by ID, newest first. IDs follow the commit order, so a reader that has seen an ID ' +
    'never later finds a new event below it. `total` is exact and from the same snapshot as the page. ' +
    'To poll for new events, use `order=asc` and the `nextCursor` of each response. ' +
    '`Accept: application/x-ndjson` or `text/csv` streams the whole result, or `limit` events of it. ' +
    '`Accept: text/event-stream` is a live stream that resumes after `Last-Event-ID`.',
  permission: 'none',
  query: SearchParameters,
  response: named(
    'eventSearchResponseSchema',
    Type.Object({
      events: Type.Array(EventSchema),
      total: Type.Integer({ minimum: 0, description: 'Number of matching events' }),
      nextCursor: Type.Optional(Type.String()),
    }),
  ),
  alsoProduces: {
    'application/x-ndjson': 'One event per line; for admins, with the fields that a verifier needs',
    'text/csv': 'A header line, then one event per line',
    'text/event-stream':
      'A live stream of events as they are committed. At most 20 streams per account and 500 per instance; further requests get 503 with Retry-After',
  },
});

const EventListSchema = {
  version: Type.Integer(),
  events: Type.Array(EventSchema),
  totalEvents: Type.Integer({ minimum: 0 }),
};

const listEvents = endpoint({
  method: 'GET',
  path: '/api/admin/events',
  id: 'getEvents',
  tag: 'Events',
  summary: 'List the newest 100 events',
  permission: 'ADMIN',
  query: Type.Object({ project: text('Project ID') }),
  response: named('eventsSchema', Type.Object(EventListSchema)),
});

const bodyText = (description: string) =>
  Type.Optional(nullable(Type.String({ maxLength: 1000, description })));
const bodyNumber = (description: string, minimum: number) =>
  Type.Optional(nullable(Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, description })));

export const SearchBodySchema = named(
  'deprecatedSearchEventsSchema',
  Type.Object({
    type: bodyText('Event type'),
    project: bodyText('Project ID'),
    feature: bodyText('Feature name'),
    query: bodyText('Literal, case-insensitive part of `data`, `preData`, or `tags`'),
    limit: bodyNumber('Page size; default 100, maximum 1000', 1),
    offset: bodyNumber('Number of events to skip; default 0', 0),
  }),
);

const searchEventsByBody = endpoint({
  method: 'POST',
  path: '/api/admin/events/search',
  id: 'deprecatedSearchEvents',
  deprecated: true,
  tag: 'Events',
  summary: 'Search events, newest first',
  description: 'Use GET /api/admin/search/events instead: it has more filters and cursors.',
  permission: 'none',
  duringMaintenance: true,
  body: SearchBodySchema,
  response: named('eventsSchema', Type.Object(EventListSchema)),
});

const listFeatureEvents = endpoint({
  method: 'GET',
  path: '/api/admin/events/:featureName',
  id: 'getEventsForToggle',
  tag: 'Events',
  summary: 'List the newest 1000 events of a feature',
  permission: 'none',
  params: Type.Object({ featureName: Type.String() }),
  response: named(
    'featureEventsSchema',
    Type.Object({ ...EventListSchema, toggleName: Type.String() }),
  ),
});

const listEventCreators = endpoint({
  method: 'GET',
  path: '/api/admin/event-creators',
  id: 'getEventCreators',
  tag: 'Events',
  summary: 'List all accounts and tokens in the log',
  permission: 'none',
  response: named(
    'eventCreatorsSchema',
    Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  ),
});

export const contract = {
  searchEvents,
  listEvents,
  searchEventsByBody,
  listFeatureEvents,
  listEventCreators,
};
