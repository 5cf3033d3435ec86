import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import {
  ProjectOverviewSchema,
  StatsSchema,
} from '../../../catalogue/projects/overview/contract.ts';
import { SpecifiedFeatureSchema } from '../../../flags/features/feature-schema.ts';

const count = (description: string) => Type.Integer({ description });

/** Part of the description of every response with an ETag. */
export const truth =
  'The response reflects the current state. The ETag changes only with the response; send it as ' +
  'If-None-Match to get 304 without a body while nothing changes.';

const overview = ProjectOverviewSchema.properties;

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
      'Percentage of active features that are neither stale nor potentially stale; 100 without features',
    ),
    environments: overview.environments,
    features: Type.Array(SpecifiedFeatureSchema, { description: 'Active features, by name' }),
    updatedAt: overview.updatedAt,
    createdAt: overview.createdAt,
    favorite: overview.favorite,
    stats: StatsSchema,
    featureNaming: Type.Object({
      pattern: Type.Optional(
        Type.String({ description: 'RE2 expression that must match the whole feature name' }),
      ),
      example: Type.Optional(Type.String({ description: 'A name that matches' })),
      description: Type.Optional(Type.String()),
    }),
    potentiallyStaleCount: count(
      'Features that are not marked as stale but are past the expected lifetime of their type, unless snoozed',
    ),
    activeCount: count('Features that are not stale'),
    staleCount: count('Features that are marked as stale'),
  }),
);

export const reportContract = {
  getHealthReport: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/health-report',
    id: 'getProjectHealthReport',
    largeResponse: true,
    deprecated: true,
    tag: 'Projects',
    summary: 'Get the health report of a project',
    description: `${truth} The header Deprecation has the date of the deprecation; the header Link names the successor.`,
    permission: 'none',
    scope: 'projectId',
    params: Type.Object({ projectId: Type.String() }),
    response: HealthReportSchema,
    notModified: true,
  }),
};
