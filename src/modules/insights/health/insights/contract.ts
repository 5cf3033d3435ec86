import { type Static, Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { StatsSchema } from '../../../catalogue/projects/overview/contract.ts';
import { truth } from '../report/contract.ts';

const tag = 'Projects';
const scope = 'projectId';
const params = Type.Object({ projectId: Type.String() });

const LeadTimeSchema = named(
  'projectDoraMetricsSchema',
  Type.Object({
    projectAverage: Type.Number({
      description:
        'Mean days from creation to first being enabled in an environment of type production',
    }),
    features: Type.Array(
      Type.Object({
        name: Type.String(),
        timeToProduction: Type.Number({ description: 'In days' }),
      }),
      { description: 'Features that reached production in the last 30 days, by name' },
    ),
  }),
);

const InsightsSchema = named(
  'projectInsightsSchema',
  Type.Object({
    stats: StatsSchema,
    health: Type.Object({
      rating: Type.Integer({ minimum: 0, maximum: 100 }),
      activeCount: Type.Integer(),
      potentiallyStaleCount: Type.Integer(),
      staleCount: Type.Integer(),
    }),
    leadTime: LeadTimeSchema,
    featureTypeCounts: Type.Array(Type.Object({ type: Type.String(), count: Type.Integer() }), {
      description: 'Active features by type; types without any are omitted',
    }),
    members: Type.Object({
      currentMembers: Type.Integer(),
      change: Type.Integer({ description: 'Users who got their first role in the last 30 days' }),
    }),
  }),
);
export type Insights = Static<typeof InsightsSchema>;

export const insightsContract = {
  getInsights: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/insights',
    id: 'getProjectInsights',
    tag,
    summary: 'Get statistics of a project',
    description: truth,
    permission: 'none',
    scope,
    params,
    response: InsightsSchema,
    notModified: true,
  }),

  getDora: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/dora',
    id: 'getProjectDora',
    tag,
    summary: "Get the time to production of a project's features",
    description: truth,
    permission: 'none',
    scope,
    params,
    response: LeadTimeSchema,
    notModified: true,
  }),
};
