import { defineModule } from '../../../platform/module.ts';
import { strategyEndpoints } from './checks.ts';
import { strategyRoutes } from './routes.ts';

export { wishFaults } from './checks.ts';
export { maxStrategies } from './contract/strategies.ts';
export { type RuleRow, rulesInSql, rulesOf } from './queries/rules.ts';
export { countCharactersIn, listStrategies, listStrategiesIn } from './queries/strategies.ts';
export {
  addStrategies,
  addStrategiesTo,
  addStrategy,
  recordAdded,
  refuseTooMany,
  writeStrategies,
} from './service/add.ts';
export { replaceStrategy } from './service/change.ts';
export {
  addDefaultStrategy,
  enableStrategies,
  givenByDefault,
  refuseLost,
} from './service/default-strategy.ts';
export { type Address, getPlaces, type Place } from './service/place.ts';
export { listFeatureStrategies } from './service/read.ts';
export { removeStrategiesIn, withdrawStrategiesIn } from './service/remove.ts';
export { ruleFaults, strategyWishFaults, subjectsOf, wished } from './service/wish.ts';

import './tables.ts';

export const strategies = defineModule({
  name: 'strategies',
  contract: strategyEndpoints,
  routes: strategyRoutes,
});
