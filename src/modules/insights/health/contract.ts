import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { ProjectOverviewSchema } from '../../catalogue/projects/contract.ts';
import { SpecifiedFeatureSchema } from '../../flags/features/feature-schema.ts';

const count = (description: string) => Type.Integer({ description });

/** Of whatever is sent under a tag. */
export const truth =
  'Everything is as of the moment of the answer. The ETag changes when the answer does: whoever sends it as ' +
  'If-None-Match gets 304, without a body, until then.';

const overview = ProjectOverviewSchema.properties;

export const StatsSchema = named(
  'projectStatsSchema',
  Type.Object(
    {
      avgTimeToProdCurrentWindow: Type.Number({
        description:
          'Mean days from creation to the first time on in an environment of type production, of features that came there in the current window; 0 without any',
      }),
      createdCurrentWindow: count('Features that were made, archived since or not'),
      createdPastWindow: Type.Integer(),
      archivedCurrentWindow: count('Features that were archived and still are'),
      archivedPastWindow: Type.Integer(),
      projectActivityCurrentWindow: count('Events of the project'),
      projectActivityPastWindow: Type.Integer(),
      projectMembersAddedCurrentWindow: count('People who got a first role in the project'),
    },
    { description: 'The current window is the last 30 days, the past one the 30 days before' },
  ),
);

/** 2.4 */
const HealthReportSchema = named(
  'healthReportSchema',
  Type.Object({
    version: overview.version,
    name: overview.name,
    description: Type.String(),
    defaultStickiness: overview.defaultStickiness,
    mode: overview.mode,
    featureLimit: overview.featureLimit,
    members: overview.members,
    health: count(
      'Share of the living features that are neither stale nor potentially stale, in percent; 100 without features',
    ),
    environments: overview.environments,
    features: Type.Array(SpecifiedFeatureSchema, { description: 'Living ones, by name' }),
    updatedAt: overview.updatedAt,
    createdAt: overview.createdAt,
    favorite: overview.favorite,
    stats: StatsSchema,
    featureNaming: Type.Object({
      pattern: Type.Optional(
        Type.String({ description: 'RE2 expression that a whole feature name has to match' }),
      ),
      example: Type.Optional(Type.String({ description: 'A name that matches' })),
      description: Type.Optional(Type.String()),
    }),
    potentiallyStaleCount: count(
      'Features that are not stale, but older than the lifetime of their type, unless somebody put that off',
    ),
    activeCount: count('Features that are not stale'),
    staleCount: count('Features that are marked as stale'),
  }),
);

export const contract = {
  getHealthReport: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/health-report',
    id: 'getProjectHealthReport',
    deprecated: true,
    tag: 'Projects',
    summary: 'How a project fares: its features, and how many of them have had their day',
    description: `${truth} The header Deprecation says since when it is deprecated, Link where its successor is.`,
    permission: 'none',
    scope: 'projectId',
    params: Type.Object({ projectId: Type.String() }),
    response: HealthReportSchema,
    notModified: true,
  }),
};
