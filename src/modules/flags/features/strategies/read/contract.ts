import { Type } from 'typebox';
import { endpoint } from '../../../../../platform/contract/endpoint.ts';
import { atMoment } from '../../../../../platform/contract/schema.ts';
import {
  featureEnvironmentParams,
  featureEnvironmentPath,
  scope,
  strategyParams,
  strategyPath,
} from '../../address-schema.ts';
import { StrategySchema } from '../../feature-schema.ts';

const tag = 'Strategies';

export const contract = {
  listFeatureStrategies: endpoint({
    method: 'GET',
    path: `${featureEnvironmentPath}/strategies`,
    id: 'getFeatureStrategies',
    tag,
    summary: 'List the strategies of a feature in an environment',
    permission: 'none',
    scope,
    params: featureEnvironmentParams,
    query: atMoment,
    response: Type.Array(StrategySchema),
  }),

  getFeatureStrategy: endpoint({
    method: 'GET',
    path: strategyPath,
    id: 'getFeatureStrategy',
    tag,
    summary: 'Get a strategy of a feature',
    permission: 'none',
    scope,
    params: strategyParams,
    query: atMoment,
    response: StrategySchema,
  }),
};
