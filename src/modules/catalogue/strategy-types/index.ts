import { defineModule } from '../../../platform/module.ts';
import { strategyTypeUseCase } from './routes.ts';
import { createBuiltInTypes } from './service.ts';

export { builtInStrategyNames } from './built-in.ts';
export type { StrategyParameter } from './contract.ts';
export { parameterFaults, strategyTypeFaults } from './parameters.ts';
export { lockStrategyType } from './queries.ts';
export {
  changeStrategyType,
  createStrategyType,
  deprecateStrategyType,
  reactivateStrategyType,
  removeStrategyType,
} from './service.ts';
export { completeStrategy, strategyFaults } from './strategy.ts';
export {
  type SetStrategy,
  SetStrategySchema,
  type StrategyShape,
  type StrategyVariant,
} from './strategy-schema.ts';
export {
  areDistributed,
  normalizeStoredVariants,
  normalizeVariants,
  sortVariants,
  weightFaults,
} from './variant-weights.ts';

import './tables.ts';

export const strategyTypes = defineModule({
  name: 'strategy-types',
  useCases: [strategyTypeUseCase],
  firstStart: createBuiltInTypes,
});
