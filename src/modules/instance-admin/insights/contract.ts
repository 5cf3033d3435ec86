import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';

const count = Type.Integer({ minimum: 0 });
const date = Type.String({ description: 'The last day that it is about, yyyy-MM-dd' });
const week = Type.String({ description: 'ISO week, as 2026-46' });
const project = Type.String();

const active = Type.Integer({ description: 'Neither stale nor potentially stale' });

const people = {
  total: count,
  active: Type.Integer({ description: 'Created or seen within the last 180 days' }),
  inactive: count,
};

const InsightsSchema = Type.Object({
  users: Type.Object(people, { description: 'Living people, now' }),
  userTrends: Type.Array(Type.Object({ date, ...people }), {
    description: 'Today alone: it is not kept who was active when',
  }),
  flags: Type.Object({ total: Type.Integer({ description: 'Living features, now' }) }),
  flagTrends: Type.Array(
    Type.Object({ date, week, total: count, active, stale: count, potentiallyStale: count }),
    { description: 'The same as below, of all these projects together' },
  ),
  projectFlagTrends: Type.Array(
    Type.Object({
      project,
      date,
      week,
      total: count,
      active,
      stale: count,
      potentiallyStale: count,
      health: Type.Integer({ minimum: 0, maximum: 100 }),
      users: Type.Optional(Type.Integer({ description: 'Members; told of today alone' })),
    }),
    { description: 'How each project stood at the end of each week, and stands today' },
  ),
  metricsSummaryTrends: Type.Array(
    Type.Object({
      project,
      date,
      week,
      totalRequests: count,
      totalYes: count,
      totalNo: count,
      totalApps: count,
      totalFlags: count,
      totalEnvironments: count,
    }),
    { description: 'How often features of each project were asked for, week by week' },
  ),
  environmentTypeTrends: Type.Array(
    Type.Object({ date, week, environmentType: Type.String(), totalUpdates: count }),
    { description: 'Events in environments of each type, week by week' },
  ),
});
export type InstanceInsights = Static<typeof InsightsSchema>;

export const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';
const day = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: dayPattern,
      description: `${description}, a UTC day: yyyy-MM-dd`,
      'x-fault': 'must be a day, such as 2026-01-31',
    }),
  );

export const insightsContract = {
  getInstanceInsights: endpoint({
    method: 'GET',
    path: '/api/admin/insights',
    id: 'getInstanceInsights',
    tag: 'Instance Admin',
    summary: 'How the projects that you may see fared, week by week',
    permission: 'none',
    query: Type.Object({
      from: day('First day; 90 days before the last one unless told'),
      to: day('Last day, inclusive; today unless told. At most 400 days are told of'),
    }),
    response: InsightsSchema,
  }),
};
