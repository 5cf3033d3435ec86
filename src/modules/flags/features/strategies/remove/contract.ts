import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { scope, strategyParams, strategyPath } from '../../address-schema.ts';

export const contract = {
  deleteFeatureStrategy: endpoint({
    method: 'DELETE',
    path: strategyPath,
    id: 'deleteFeatureStrategy',
    tag: 'Strategies',
    summary: 'Remove a strategy from a feature',
    description: 'A feature whose last enabled strategy is removed is switched off.',
    permission: 'DELETE_FEATURE_STRATEGY',
    scope,
    params: strategyParams,
  }),
};
