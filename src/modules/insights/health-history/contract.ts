import { Type } from 'typebox';
import { endpoint } from '../../../platform/contract/endpoint.ts';
import { oneOf } from '../../../platform/contract/schema.ts';
import { BudgetSchema } from '../../catalogue/projects/contract.ts';

const tag = 'Projects';
const params = Type.Object({ projectId: Type.String() });
const scope = 'projectId';

const day = (description: string) =>
  Type.String({
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$',
    'x-fault': 'must be a day of the calendar, written yyyy-MM-dd',
    description,
  });

const counts = {
  total: Type.Integer({ description: 'Living features' }),
  stale: Type.Integer({ description: 'Those that are marked as stale' }),
  potentiallyStale: Type.Integer({
    description:
      'Those that are not stale, but older than the lifetime of their type, unless somebody put that off',
  }),
  health: Type.Integer({
    description: 'Share of those that are neither, in percent; 100 without features',
  }),
};

export const contract = {
  getHealthHistory: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/health-history',
    id: 'getProjectHealthHistory',
    tag,
    summary: 'How a project fared, day by day',
    description:
      'Days are those of UTC, oldest first, each as it was at its end; today is as of the moment of the answer. ' +
      'A day is written down for good some minutes after its end; the last few that are not yet are worked out. ' +
      'Days on which the project did not exist, or was archived, are left out, and so are those that lie before ' +
      'what the event log still tells.',
    permission: 'none',
    scope,
    params,
    query: Type.Object({
      from: Type.Optional(day('The first day; left out: 89 days before the last')),
      to: Type.Optional(day('The last day; left out: today')),
    }),
    response: Type.Object({
      version: Type.Integer(),
      project: Type.String(),
      days: Type.Array(
        Type.Object({
          day: Type.String({ description: 'yyyy-MM-dd' }),
          ...counts,
          reconstructed: Type.Boolean({
            description:
              'Whether nobody looked when the day ended: it was told later by the event log',
          }),
          live: Type.Boolean({ description: 'Whether the day is today, and not over' }),
        }),
      ),
      budget: BudgetSchema,
    }),
  }),

  getBudget: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/budget',
    id: 'getProjectBudget',
    tag,
    summary: 'Whether a project keeps to its budget',
    description: 'A budget is set with the other settings of a project.',
    permission: 'none',
    scope,
    params,
    response: Type.Object({
      version: Type.Integer(),
      project: Type.String(),
      budget: BudgetSchema,
      current: Type.Object(counts),
      withinBudget: Type.Boolean({ description: 'Also when there is no budget' }),
      exceeded: Type.Array(
        Type.Object({
          what: oneOf(['maxStale', 'minHealth']),
          limit: Type.Integer(),
          actual: Type.Integer({
            description:
              'For maxStale the features that are stale or potentially stale, for minHealth the health',
          }),
        }),
      ),
    }),
  }),
};
