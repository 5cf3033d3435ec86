import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { SetStrategySchema } from '../../../../catalogue/strategy-types/strategy-schema.ts';
import { featureEnvironmentParams, featureEnvironmentPath, scope } from '../../address-schema.ts';
import { StrategySchema } from '../../feature-schema.ts';

/** More than an SDK should evaluate for one feature. */
export const maxStrategies = 30;

export const contract = {
  addFeatureStrategy: endpoint({
    method: 'POST',
    path: `${featureEnvironmentPath}/strategies`,
    id: 'addFeatureStrategy',
    proposable: true,
    tag: 'Strategies',
    summary: 'Add a strategy to a feature in an environment',
    description: `An environment can have at most ${maxStrategies} strategies. Without a sortOrder, the strategy becomes the last one. A gradual rollout gets defaults for omitted rollout, stickiness, and groupId.`,
    permission: 'CREATE_FEATURE_STRATEGY',
    scope,
    params: featureEnvironmentParams,
    body: SetStrategySchema,
    response: StrategySchema,
  }),
};
