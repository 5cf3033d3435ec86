import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named, oneOf, yesNo } from '../../../../platform/contract/schema.ts';
import { truth } from '../contract.ts';
import { ReviewSchema } from '../reviews/contract.ts';

/** Why a feature is stale, or may be. The order is that in which they are told. */
export const reasonNames = [
  'markedStale',
  'lifetimeOver',
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
        lastSeenAt: Type.Optional({ ...instant, description: 'When an SDK last asked for it' }),
        since: Type.Optional({
          ...instant,
          description: 'Since when nothing has changed for whom it is on',
        }),
        stickiness: Type.Optional(
          Type.String({ description: 'Contexts without this field do not get it' }),
        ),
      }),
    ),
  ),
  repositories: Type.Optional(
    Type.Integer({ description: 'How many were searched since it was made' }),
  ),
  lastScanAt: Type.Optional(instant),
});

const ReasonSchema = Type.Object({
  reason: oneOf(reasonNames),
  since: Type.Optional({
    ...instant,
    description: 'Since when it holds, at least; left out where the log no longer tells',
  }),
  detail: Type.String({ description: 'For people: what is known, and what is not' }),
  evidence: EvidenceSchema,
});

const FindingSchema = Type.Object({
  feature: Type.String(),
  type: Type.String(),
  createdAt: instant,
  archivedAt: Type.Optional(instant),
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
    { description: 'How many features have each reason, whichever is asked for' },
  ),
  snoozedCount: count('Features with reasons that somebody put off, and that are left out here'),
  total: count('Features with the reason that is asked for, or with any'),
  features: Type.Array(FindingSchema),
});
export type FindingsAnswer = Static<typeof FindingsSchema>;

const days = (description: string) =>
  Type.Optional(Type.String({ description: `${description}: 1 to ${maxDays}, ${defaultDays}` }));

const terms = {
  notSeenDays: days('After so many days without a request from an SDK a feature is listed'),
  fullyOnDays: days('After so many days on for everybody in production a feature is listed'),
  includeSnoozed: withDefault(yesNo, 'false'),
};

const StageSchema = Type.Object({
  averageDays: nullable(
    Type.Number({
      description: 'How long features stayed that have left the stage; null without any',
    }),
  ),
  currentFlags: count('Features that stand there'),
});

const current = (description: string) =>
  Type.Object({ current: Type.Integer({ minimum: 0, maximum: 100, description }) });

const StatusSchema = named(
  'projectStatusSchema',
  Type.Object({
    activityCountByDate: Type.Array(
      Type.Object({ date: Type.String({ format: 'date' }), count: count() }),
      { description: 'Events by UTC day, of the last 365 days; days without any are left out' },
    ),
    health: current('Share of the living features that are neither stale nor potentially stale'),
    technicalDebt: current('Share of the living features that are stale or potentially stale'),
    resources: Type.Object({
      connectedEnvironments: count('Environments in which SDKs asked for features of the project'),
      apiTokens: count('Valid API tokens that name the project'),
      members: count('People with a role in the project, by themselves or through a group'),
      segments: count('Segments of the project'),
    }),
    staleFlags: Type.Object({
      total: count('Stale or potentially stale'),
      stale: count('Marked as stale'),
      potentiallyStale: count(
        'Not stale, but older than the lifetime of their type, unless somebody put that off',
      ),
    }),
    lifecycleSummary: Type.Object({
      initial: StageSchema,
      preLive: StageSchema,
      live: StageSchema,
      completed: StageSchema,
      archived: Type.Object({
        currentFlags: count('Features in the archive'),
        last30Days: count('Those that came there in the last 30 days'),
      }),
    }),
    findings: FindingsSchema,
  }),
);
export type StatusAnswer = Static<typeof StatusSchema>;

const aboutReasons =
  'What people snoozed, or declared permanent, has no reasons of age until then unless `includeSnoozed` is true; ' +
  'a stale mark, and a feature that is called although it is completed or archived, are always told. A reason ' +
  'tells what is known: SDKs that send no metrics, and code that nobody searched, are not.';

export const statusContract = {
  getStatus: endpoint({
    method: 'GET',
    path,
    id: 'getProjectStatus',
    tag,
    summary: 'How a project fares, and why',
    description: `${truth} ${aboutReasons} The first 50 features with reasons are here; all of them, page by page, under /status/findings.`,
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
    summary: 'The features of a project that are stale or may be, each with its reasons',
    description: `${truth} ${aboutReasons} Page and \`total\` are of one snapshot; equals are ordered by name.`,
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      ...terms,
      reason: Type.Optional(oneOf(reasonNames, 'Only features that have it')),
      sortBy: withDefault(
        oneOf(['since', 'feature'], 'By the reason that has held longest, or by name'),
        'since',
      ),
      sortOrder: withDefault(oneOf(['asc', 'desc']), 'asc'),
      limit: Type.Optional(
        Type.String({ description: 'Features in a page: 50; more than 1000 is served as 1000' }),
      ),
      offset: Type.Optional(Type.String({ description: 'Features to skip: 0' })),
    }),
    response: FindingsSchema,
    notModified: true,
  }),
};
