import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import { OwnerSchema } from '../../../catalogue/projects/feature-summary-schema.ts';
import { truth } from '../report/contract.ts';
import { ReviewSchema } from '../reviews/contract.ts';

/** Why a feature is stale, or may be, in the order of responses. */
export const reasonNames = [
  'markedStale',
  'lifetimeOver',
  'expired',
  'notSeen',
  'fullyOn',
  'completedButCalled',
  'archivedButCalled',
  'notInCode',
] as const;
export type ReasonName = (typeof reasonNames)[number];

export const defaultDays = 30;
export const maxDays = 3650;

const tag = 'Projects';
const scope = 'projectId';
const params = Type.Object({ projectId: Type.String() });
const path = '/api/admin/projects/:projectId/status';
const count = (description?: string) =>
  Type.Integer({ minimum: 0, ...(description !== undefined && { description }) });

const EvidenceSchema = Type.Object({
  markedBy: Type.Optional(Type.String({ description: 'Who marked it as stale' })),
  type: Type.Optional(Type.String()),
  lifetimeDays: Type.Optional(Type.Integer()),
  createdAt: Type.Optional(instant),
  completedAt: Type.Optional(instant),
  archivedAt: Type.Optional(instant),
  environments: Type.Optional(
    Type.Array(
      Type.Object({
        environment: Type.String(),
        lastSeenAt: Type.Optional({ ...instant, description: 'When it was last evaluated' }),
        since: Type.Optional({
          ...instant,
          description: 'Since when it has been enabled for the same users',
        }),
        stickiness: Type.Optional(
          Type.String({
            description: 'Stickiness of the rollout: disabled for contexts without this field',
          }),
        ),
      }),
    ),
  ),
  repositories: Type.Optional(
    Type.Integer({ description: 'Number of repositories scanned since the feature was created' }),
  ),
  lastScanAt: Type.Optional(instant),
});

const ReasonSchema = Type.Object({
  reason: oneOf(reasonNames),
  since: Type.Optional({
    ...instant,
    description:
      'The reason has applied since this time, or longer; omitted if the log no longer covers it',
  }),
  detail: Type.String({ description: 'Explanation of what is known and what is not' }),
  evidence: EvidenceSchema,
});

const FindingSchema = Type.Object({
  feature: Type.String(),
  type: Type.String(),
  createdAt: instant,
  archivedAt: Type.Optional(instant),
  owner: Type.Optional(OwnerSchema),
  stale: Type.Boolean({ description: 'Whether it is marked as stale' }),
  review: Type.Optional(ReviewSchema),
  reasons: Type.Array(ReasonSchema),
});

const FindingsSchema = Type.Object({
  notSeenDays: Type.Integer(),
  fullyOnDays: Type.Integer(),
  countByReason: Type.Object(
    Object.fromEntries(reasonNames.map((name) => [name, count()])) as Record<
      (typeof reasonNames)[number],
      ReturnType<typeof count>
    >,
    { description: 'Number of features by reason, regardless of the filter' },
  ),
  snoozedCount: count('Number of snoozed features with reasons, which are omitted here'),
  total: count('Number of features with the requested reason, or with any'),
  features: Type.Array(FindingSchema),
});
export type FindingsAnswer = Static<typeof FindingsSchema>;

const days = (description: string) =>
  Type.Optional(
    Type.String({ description: `${description}: 1 to ${maxDays}; default ${defaultDays}` }),
  );

const terms = {
  notSeenDays: days('Days without an evaluation after which a feature is listed'),
  fullyOnDays: days('Days enabled for everyone in production after which a feature is listed'),
  includeSnoozed: withDefault(yesNo, 'false'),
};

const StageSchema = Type.Object({
  averageDays: nullable(
    Type.Number({
      description: 'Average days in the stage, of features that have left it; null if none has',
    }),
  ),
  currentFlags: count('Features in the stage'),
});

const current = (description: string) =>
  Type.Object({ current: Type.Integer({ minimum: 0, maximum: 100, description }) });

const StatusSchema = named(
  'projectStatusSchema',
  Type.Object({
    activityCountByDate: Type.Array(
      Type.Object({ date: Type.String({ format: 'date' }), count: count() }),
      {
        description:
          'Number of events by UTC day in the last 365 days; days without events are omitted',
      },
    ),
    health: current('Percentage of active features that are neither stale nor potentially stale'),
    technicalDebt: current('Percentage of active features that are stale or potentially stale'),
    resources: Type.Object({
      connectedEnvironments: count(
        'Number of environments in which features of the project were evaluated',
      ),
      apiTokens: count('Number of valid API tokens that name the project'),
      members: count('Number of users with a direct or group role in the project'),
      segments: count('Number of segments of the project'),
    }),
    staleFlags: Type.Object({
      total: count('Stale or potentially stale'),
      stale: count('Marked as stale'),
      potentiallyStale: count(
        'Not marked as stale but past the expected lifetime of their type, unless snoozed',
      ),
    }),
    lifecycleSummary: Type.Object({
      initial: StageSchema,
      preLive: StageSchema,
      live: StageSchema,
      completed: StageSchema,
      archived: Type.Object({
        currentFlags: count('Archived features'),
        last30Days: count('Features archived in the last 30 days'),
      }),
    }),
    findings: FindingsSchema,
  }),
);
export type StatusAnswer = Static<typeof StatusSchema>;

const aboutReasons =
  'Snoozed and permanent features have no age-related reasons unless `includeSnoozed` is true. ' +
  'Features that are marked as stale, or completed or archived and still evaluated, are always reported. Reasons are based ' +
  'on available data: SDKs that send no metrics and code that was not scanned are not covered.';

export const statusContract = {
  getStatus: endpoint({
    method: 'GET',
    path,
    id: 'getProjectStatus',
    tag,
    summary: 'Get the status of a project with reasons',
    description: `${truth} ${aboutReasons} Lists the first 50 features with reasons; /status/findings returns all of them in pages.`,
    permission: 'none',
    scope,
    params,
    query: Type.Object(terms),
    response: StatusSchema,
    notModified: true,
  }),

  getFindings: endpoint({
    method: 'GET',
    path: `${path}/findings`,
    id: 'getProjectStatusFindings',
    tag,
    summary: 'List features to clean up with reasons',
    description: `${truth} ${aboutReasons} Page and \`total\` are from one snapshot; ties are sorted by name.`,
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      ...terms,
      reason: Type.Optional(oneOf(reasonNames, 'Only features with this reason')),
      sortBy: withDefault(
        oneOf(['since', 'feature'], 'Sort by the oldest reason or by name'),
        'since',
      ),
      sortOrder: withDefault(oneOf(['asc', 'desc']), 'asc'),
      limit: Type.Optional(Type.String({ description: 'Page size; default 50, maximum 1000' })),
      offset: Type.Optional(Type.String({ description: 'Number of features to skip; default 0' })),
    }),
    response: FindingsSchema,
    notModified: true,
  }),
};
