import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { oneOf } from '../../../../platform/contract/schema.ts';
import { BudgetSchema } from '../../../catalogue/projects/project-schema.ts';
import { counts } from '../history/contract.ts';

export const budgetContract = {
  getBudget: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/budget',
    id: 'getProjectBudget',
    tag: 'Projects',
    summary: 'Check whether a project meets its budget',
    description: 'The budget is part of the project settings.',
    permission: 'none',
    scope: 'projectId',
    params: Type.Object({ projectId: Type.String() }),
    response: Type.Object({
      version: Type.Integer(),
      project: Type.String(),
      budget: BudgetSchema,
      current: Type.Object(counts),
      withinBudget: Type.Boolean({ description: 'Also true if there is no budget' }),
      exceeded: Type.Array(
        Type.Object({
          what: oneOf(['maxStale', 'minHealth']),
          limit: Type.Integer(),
          actual: Type.Integer({
            description:
              'For maxStale: the number of stale and potentially stale features; for minHealth: the health',
          }),
        }),
      ),
    }),
  }),
};
