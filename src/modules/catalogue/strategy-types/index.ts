import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract/strategy-type.ts';
import { strategyTypeRoutes } from './routes.ts';
import { createBuiltInTypes } from './service.ts';

export {
  completeStrategy,
  type SetStrategy,
  SetStrategySchema,
  type StrategyShape,
  type StrategyVariant,
  StrategyVariantSchema,
  setStrategyShape,
  strategyFaults,
  strategyShape,
} from './contract/strategy.ts';
export type { StrategyParameter } from './contract/strategy-type.ts';
export { parameterFaults, strategyTypeFaults } from './parameters.ts';
export { settled, weightFaults } from './variant-weights.ts';

import './tables.ts';

export const strategyTypes = defineModule({
  name: 'strategy-types',
  contract,
  routes: strategyTypeRoutes,
  firstStart: createBuiltInTypes,
});
