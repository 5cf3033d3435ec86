import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { context } from '../../../sdk/playground/context-schema.ts';
import { AdvancedPlaygroundSchema } from '../../../sdk/playground/contract.ts';

export const playgroundContract = {
  evaluateChangeRequest: endpoint({
    method: 'POST',
    path: '/api/admin/playground/change-request/:id',
    id: 'evaluateChangeRequest',
    largeResponse: true,
    tag: 'Playground',
    summary: 'Evaluate features as if a change request were applied',
    description:
      'Evaluates the features of its project in its environment. The request must be in review, approved, or scheduled. Changes nothing.',
    permission: 'none',
    duringMaintenance: true,
    params: Type.Object({ id: Type.String({ description: 'ID of the change request' }) }),
    body: named('playgroundChangeRequestSchema', Type.Object({ context })),
    response: AdvancedPlaygroundSchema,
  }),
};
