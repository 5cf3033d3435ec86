import { type Static, Type } from 'typebox';
import { dictionary, instant, named, oneOf } from '../../../platform/contract/schema.ts';

export const requestStates = [
  'Draft',
  'In review',
  'Approved',
  'Scheduled',
  'Applied',
  'Cancelled',
  'Rejected',
] as const;
export type RequestState = (typeof requestStates)[number];

/** The states in which a request can still be applied. */
export const openStates = ['Draft', 'In review', 'Approved', 'Scheduled'] as const;

export const isOpen = (state: RequestState): boolean =>
  (openStates as readonly RequestState[]).includes(state);

/** Someone reviews all of them. */
export const maxChanges = 100;
export const maxReviewers = 10;
export const maxComments = 1000;
export const maxReasonLength = 1000;
/** Of an account, in all projects. */
export const maxOpenRequests = 1000;

export const tag = 'Change Requests';
export const scope = 'projectId';
/** Everyone who sees a project can propose. Only those who can't change features are limited in number. */
export const limitedPerAccount = { unlessMay: 'UPDATE_FEATURE' } as const;
export const requestsPath = '/api/admin/projects/:projectId/change-requests';
export const requestPath = `${requestsPath}/:id` as const;

const projectId = Type.String();
export const projectParams = Type.Object({ projectId });
/** A text, so that an ID that is no number gives 404 instead of 400. */
const id = Type.String({ description: 'ID of the change request' });
export const requestParams = Type.Object({ projectId, id });
export const changeParams = Type.Object({ projectId, id, changeId: Type.String() });

const UserSchema = Type.Object({
  id: Type.Integer({ description: 'Negative for an API token' }),
  username: Type.String(),
  imageUrl: Type.String({ description: 'URL of the avatar' }),
});

const payload = Type.Unsafe<unknown>({
  description: 'Depends on the action, as in the request that proposed the change',
});

const change = {
  id: Type.Integer({ description: 'Unique; an edited change has a new one' }),
  action: Type.String(),
  payload: Type.Optional(payload),
  conflict: Type.Optional(
    Type.String({ description: 'Why the change can no longer be applied as proposed' }),
  ),
  createdBy: UserSchema,
  createdAt: instant,
  defaultStrategies: Type.Optional(
    Type.Array(Type.Object({ environment: Type.String(), payload }), {
      description:
        'Default strategies that the change adds, because it enables a feature without an enabled strategy',
    }),
  ),
  scheduleConflicts: Type.Optional(
    Type.Object({
      changeRequests: Type.Array(
        Type.Object({ id: Type.Integer(), title: Type.Optional(Type.String()) }),
        { description: 'Scheduled requests that change the same thing' },
      ),
    }),
  ),
};

const ChangeSchema = named('changeRequestChangeSchema', Type.Object(change));

const RequestFeatureSchema = named(
  'changeRequestFeatureSchema',
  Type.Object({
    name: Type.String(),
    conflict: Type.Optional(Type.String({ description: 'Conflict of the whole feature' })),
    changes: Type.Array(ChangeSchema),
    defaultChange: Type.Optional(
      Type.Object(
        { action: Type.String(), payload },
        {
          description:
            'The default strategy that the changes add in the environment of the request',
        },
      ),
    ),
  }),
);

const RequestSegmentSchema = named(
  'changeRequestSegmentChangeSchema',
  Type.Object({ ...change, name: Type.String({ description: 'Name of the segment' }) }),
);

const ApprovalSchema = named(
  'changeRequestApprovalSchema',
  Type.Object({
    createdBy: UserSchema,
    createdAt: instant,
    counts: Type.Optional(
      Type.Boolean({
        description:
          'Whether the approval counts: its author can still approve. Omitted in lists and for closed requests',
      }),
    ),
  }),
);

const ScheduleSchema = named(
  'changeRequestScheduleSchema',
  Type.Object({
    scheduledAt: instant,
    status: oneOf(['pending', 'failed', 'suspended']),
    reason: Type.Optional(Type.String({ description: 'Why it failed or is suspended' })),
    failureReason: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String({ description: 'Time zone in which it was planned' })),
    whenOverdue: oneOf(['apply', 'suspend'], 'What happens if no server was running at that time'),
  }),
);

const EmergencySchema = named(
  'changeRequestEmergencySchema',
  Type.Object({
    reason: Type.String(),
    createdBy: UserSchema,
    createdAt: instant,
    reviewedBy: Type.Optional(UserSchema),
    reviewedAt: Type.Optional(instant),
  }),
);

const ConflictSchema = named(
  'changeRequestConflictSchema',
  Type.Object({
    changeId: Type.Integer(),
    feature: Type.Optional(Type.String()),
    reason: Type.String(),
    base: Type.Unsafe<unknown>({
      description:
        'What the change is based on. For a change of several features, an object with their names; the values show whether a feature changed',
    }),
    current: Type.Unsafe<unknown>({
      description: 'The current state; null if it no longer exists',
    }),
    proposed: Type.Unsafe<unknown>({ description: 'The payload of the change' }),
    resolutions: Type.Array(oneOf(['merge', 'reapply', 'keep', 'drop']), {
      description: 'What `…/resolve` accepts for this change',
    }),
    unmergeable: Type.Optional(
      Type.String({ description: 'Why both sides cannot be merged automatically' }),
    ),
  }),
);

const conflicts = Type.Array(ConflictSchema, {
  description:
    'Changes to something that someone else changed since they were proposed. Omitted in the list of a project, like `conflict` of features and changes',
});

const ListedChangeRequestSchema = named(
  'listedChangeRequestSchema',
  Type.Object({
    id: Type.Integer(),
    title: Type.String({ description: 'What the request changes, unless it was given a title' }),
    environment: Type.String(),
    project: Type.String(),
    minApprovals: Type.Integer({
      description:
        'Required approvals, fixed when the request is sent to review. 0: each change needs its own permission instead',
    }),
    features: Type.Array(RequestFeatureSchema),
    segments: Type.Array(RequestSegmentSchema),
    changes: Type.Array(ChangeSchema, {
      description:
        'Changes that belong to no single feature or segment, such as a clone or an import',
    }),
    approvals: Type.Array(ApprovalSchema),
    rejections: Type.Array(ApprovalSchema),
    contributors: Type.Array(Type.Integer(), {
      description:
        'IDs of everyone who changed the request: its author first, then those who edited it',
    }),
    comments: Type.Array(
      named(
        'changeRequestCommentSchema',
        Type.Object({
          id: Type.Integer(),
          text: Type.String(),
          createdBy: UserSchema,
          createdAt: instant,
        }),
      ),
    ),
    createdBy: UserSchema,
    createdAt: instant,
    stateTimestamps: dictionary(instant, 'When the request last entered each state'),
    state: oneOf(requestStates),
    schedule: Type.Optional(ScheduleSchema),
    expiresAt: Type.Optional(instant),
    applyFailure: Type.Optional(
      Type.String({ description: 'Why it was not applied automatically when it was approved' }),
    ),
    emergency: Type.Optional(
      Type.Unsafe<Static<typeof EmergencySchema>>({
        ...EmergencySchema,
        description: 'Set if the request was applied without approval',
      }),
    ),
    conflicts: Type.Optional(conflicts),
  }),
);
export type ListedChangeRequest = Static<typeof ListedChangeRequestSchema>;

/**
 * To hash the changes of hundreds of requests takes a fifth of the time of a list, and to compare them with the present
 * state a third. No one approves a list.
 */
export const ChangeRequestSchema = named(
  'changeRequestSchema',
  Type.Object({
    ...ListedChangeRequestSchema.properties,
    conflicts,
    hash: Type.String({
      description:
        'SHA-256 of the changes in canonical JSON. An approval counts for one hash only. Omitted in lists',
    }),
  }),
);
export type ChangeRequest = Static<typeof ChangeRequestSchema>;

export const ChangeRequestsSchema = named(
  'changeRequestsSchema',
  Type.Array(ListedChangeRequestSchema),
);
export type RequestUser = Static<typeof UserSchema>;
export type Emergency = Static<typeof EmergencySchema>;
export type Schedule = Static<typeof ScheduleSchema>;
export type Conflict = Static<typeof ConflictSchema>;
export type Resolution = Conflict['resolutions'][number];
