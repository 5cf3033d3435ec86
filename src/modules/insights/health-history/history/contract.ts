import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { BudgetSchema } from '../../../catalogue/projects/project-schema.ts';

const tag = 'Projects';
const params = Type.Object({ projectId: Type.String() });
const scope = 'projectId';

const day = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    'x-fault': 'must be a date, such as 2026-01-31',
    description,
  });

export const counts = {
  total: Type.Integer({ description: 'Active features' }),
  stale: Type.Integer({ description: 'Features that are marked as stale' }),
  potentiallyStale: Type.Integer({
    description:
      'Features that are not marked as stale but are past the expected lifetime of their type, unless snoozed',
  }),
  health: Type.Integer({
    description: 'Percentage of features that are neither; 100 without features',
  }),
};

export const historyContract = {
  getHealthHistory: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/health-history',
    id: 'getProjectHealthHistory',
    tag,
    summary: 'Get the health of a project by day',
    description:
      "Days are UTC days, oldest first. Each entry is the state at the end of the day; today's is the current state. " +
      'A day becomes final a few minutes after its end; the last days that are not final yet are computed. ' +
      'Days on which the project did not exist or was archived are omitted, and so are days that ' +
      'the event log no longer covers.',
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      from: Type.Optional(day('First day; default: 89 days before the last day')),
      to: Type.Optional(day('Last day; default: today')),
    }),
    response: Type.Object({
      version: Type.Integer(),
      project: Type.String(),
      days: Type.Array(
        Type.Object({
          day: Type.String({ description: 'yyyy-MM-dd' }),
          ...counts,
          reconstructed: Type.Boolean({
            description: 'Whether the day was computed later from the event log',
          }),
          live: Type.Boolean({ description: 'Whether the day is today and not complete' }),
        }),
      ),
      budget: BudgetSchema,
    }),
  }),
};
