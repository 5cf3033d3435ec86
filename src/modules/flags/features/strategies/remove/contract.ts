import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { scope, strategyParams, strategyPath } from '../../address-schema.ts';

export const contract = {
  deleteFeatureStrategy: endpoint({
    method: 'DELETE',
    path: strategyPath,
    id: 'deleteFeatureStrategy',
    proposable: true,
    tag: 'Strategies',
    summary: 'Delete a strategy of a feature',
    description: 'If the last enabled strategy is deleted, the feature is disabled.',
    permission: 'DELETE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
  }),
};
