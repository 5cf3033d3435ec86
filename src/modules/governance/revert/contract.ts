import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { asOf, describing, named, oneOf, yesNo } from '../../../platform/contract/schema.ts';
import { PreviewSchema } from '../../sdk/preview/preview-schema.ts';

/** More than one incident has, and as many as one transaction can take back. */
export const maxEvents = 1_000;
export const maxThings = 200;

const eventId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const query = Type.Object({
  dryRun: withDefault(
    Type.Unsafe<'true' | 'false'>({
      ...yesNo,
      description:
        'If true, nothing is changed; the response shows the result, also where changes need approval',
    }),
    'false',
  ),
});

const options = {
  comment: Type.Optional(describing('Why; recorded with every event of the request')),
  conflicts: withDefault(
    oneOf(
      ['refuse', 'keepCurrent'],
      'What happens to properties that were changed again later. refuse: nothing is reverted. keepCurrent: they stay as they are',
    ),
    'refuse',
  ),
};

const state = (description: string) => Type.Optional(Type.Unknown({ description }));

const thing = {
  type: Type.String({
    description:
      'feature, feature-environment, segment, project, project-environment, project-user, role, group, setting, …',
  }),
  project: Type.Optional(Type.String()),
  name: Type.String({
    description:
      'Name or ID; for roles in a project and members of a group also the ID of the user or group: shop:7',
  }),
  environment: Type.Optional(Type.String()),
};

const RevertSchema = named(
  'revertSchema',
  Type.Object({
    dryRun: Type.Boolean(),
    reverts: Type.Array(
      Type.Object({
        id: Type.Integer(),
        type: Type.String(),
        summary: Type.String({ description: 'Markdown, as in the log' }),
        createdAt: Type.String({ format: 'date-time' }),
      }),
      { description: 'The events that are reverted, in their order' },
    ),
    changes: Type.Array(
      Type.Object({
        ...thing,
        summary: Type.String({
          description: 'What happens to it: a line for each event that is recorded, in Markdown',
        }),
        before: state('The current state; omitted if there is none'),
        after: state('The state afterwards; omitted if there is none'),
      }),
      { description: 'Everything that changes' },
    ),
    conflicts: Type.Array(
      Type.Object({
        ...thing,
        field: Type.String({
          description: 'The property, such as description or strategies.ID.parameters.rollout',
        }),
        // biome-ignore lint/suspicious/noThenProperty: the name that clients know; nothing awaits a schema
        then: state('The value to return to; omitted if there was none'),
        after: state('The value after the reverted event; omitted if there was none'),
        now: state('The present value; omitted if there is none, or you may not see it'),
        eventIds: Type.Array(Type.Integer(), { description: 'The later events that changed it' }),
        reason: Type.String(),
      }),
      {
        description:
          'What was changed again later, is still used, cannot be changed as it is now, or refers to an account, group, or role that was deleted',
      },
    ),
    notReverted: Type.Array(
      Type.Object({ eventId: Type.Integer(), type: Type.String(), reason: Type.String() }),
      {
        description:
          'Selected events that cannot be reverted, only in part, or that changed nothing',
      },
    ),
    decisions: nullable(
      Type.Object(
        {
          environment: Type.String({
            description:
              'The environment that is evaluated: of those that change, a production one first',
          }),
          ...PreviewSchema.properties,
        },
        {
          description:
            'How evaluations change, as in the preview of a change request; only in a dry run, and null if no evaluation can change',
        },
      ),
    ),
    eventIds: Type.Array(Type.Integer(), { description: 'The recorded events' }),
    missingPermission: nullable(
      Type.String({
        description:
          'Only in a dry run: what you are missing to make the changes yourself. Where they need approval, you can propose them',
      }),
    ),
  }),
);

export type Revert = Static<typeof RevertSchema>;

const common = {
  method: 'POST',
  // An account has one under way, also of dry runs: both read many states and compare decisions.
  largeResponse: true,
  tag: 'Events',
  proposable: true,
  permission: 'none',
  outdated:
    'something was changed again later or cannot be restored, or nothing is left to revert; the response also has `changes`, `conflicts`, and `notReverted`',
  query,
  response: RevertSchema,
} as const;

const howItWorks =
  'Restores what the events changed, as ordinary changes in one transaction, and keeps what was changed elsewhere since. Each change needs its usual permission and records its usual ' +
  'events, which name the reverted ones in `data.reverts`. Archived and deleted things come back with what they had. Available to everyone who can see the events.';

export const revertContract = {
  revertEvent: endpoint({
    ...common,
    path: '/api/admin/events/:id/revert',
    id: 'revertEvent',
    summary: 'Revert an event',
    description: howItWorks,
    params: Type.Object({ id: Type.String({ description: 'Event ID' }) }),
    body: withDefault(Type.Object(options), { conflicts: 'refuse' }),
  }),

  revertEvents: endpoint({
    ...common,
    path: '/api/admin/events/revert',
    id: 'revertEvents',
    summary: 'Revert several events at once',
    description: `${howItWorks} Send exactly one of \`eventIds\`, \`requestId\`, and \`from\` with \`to\`. At most ${maxEvents.toLocaleString('en')} events, which concern at most ${maxThings} things.`,
    body: named(
      'revertEventsSchema',
      Type.Object({
        ...options,
        eventIds: Type.Optional(
          Type.Array(eventId, { minItems: 1, maxItems: maxEvents, description: 'These events' }),
        ),
        requestId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            description: 'All events that this request recorded',
          }),
        ),
        from: Type.Optional(
          Type.String({
            ...asOf,
            description: 'All events from this one, or from this date and time, on',
          }),
        ),
        to: Type.Optional(
          Type.String({ ...asOf, description: 'Up to this event, or this date and time' }),
        ),
        project: Type.Optional(
          Type.String({ maxLength: 100, description: 'With from and to: only in this project' }),
        ),
        environment: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'With from and to: only what changed evaluations in this environment',
          }),
        ),
      }),
    ),
  }),
};
