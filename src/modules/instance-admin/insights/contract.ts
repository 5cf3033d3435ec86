import { type Static, Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';

const count = Type.Integer({ minimum: 0 });
const date = Type.String({ description: 'The last day of the period, yyyy-MM-dd' });
const week = Type.String({ description: 'ISO week, such as 2026-46' });
const project = Type.String();

const active = Type.Integer({
  description: 'Features that are neither stale nor potentially stale',
});

const people = {
  total: count,
  active: Type.Integer({ description: 'Created or seen within the last 180 days' }),
  inactive: count,
};

const InsightsSchema = Type.Object({
  users: Type.Object(people, { description: 'Current number of users' }),
  userTrends: Type.Array(Type.Object({ date, ...people }), {
    description: 'Only for today, because past activity is not stored',
  }),
  flags: Type.Object({ total: Type.Integer({ description: 'Current number of active features' }) }),
  flagTrends: Type.Array(
    Type.Object({ date, week, total: count, active, stale: count, potentiallyStale: count }),
    { description: 'The totals of all these projects' },
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
      users: Type.Optional(Type.Integer({ description: 'Number of members; only for today' })),
    }),
    { description: 'State of each project at the end of each week, and today' },
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
    { description: 'Number of evaluations by project and week' },
  ),
  environmentTypeTrends: Type.Array(
    Type.Object({ date, week, environmentType: Type.String(), totalUpdates: count }),
    { description: 'Number of events by environment type and week' },
  ),
});
export type InstanceInsights = Static<typeof InsightsSchema>;

export const dayPattern = '^\\d{4}-\\d{2}-\\d{2}$';
const day = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: dayPattern,
      description: `${description}. A UTC day: yyyy-MM-dd`,
      'x-fault': 'must be a day, such as 2026-01-31',
    }),
  );

export const insightsContract = {
  getInstanceInsights: endpoint({
    method: 'GET',
    path: '/api/admin/insights',
    id: 'getInstanceInsights',
    tag: 'Instance Admin',
    summary: 'Get weekly statistics of the projects that you can see',
    permission: 'none',
    query: Type.Object({
      from: day('First day; default: 90 days before the last day'),
      to: day('Last day, inclusive; default: today. The period can have at most 400 days'),
    }),
    response: InsightsSchema,
  }),
};
