import { defineModule } from '../../platform/module.ts';
import { strategyContract } from './contract/strategies.ts';
import { switchContract } from './contract/switches.ts';
import { strategyRoutes } from './routes.ts';

export { maxStrategies, wishFaults } from './contract/strategies.ts';
export { listStrategies, listStrategiesIn } from './queries/strategies.ts';
export { addStrategies, addStrategiesTo, addStrategy } from './service/add.ts';
export { replaceStrategy } from './service/change.ts';
export { removeStrategiesIn, withdrawStrategiesIn } from './service/remove.ts';
export { switchOne } from './service/switch.ts';
export { strategyWishFaults, wished } from './service/wish.ts';

import './tables.ts';

export const strategies = defineModule({
  name: 'strategies',
  contract: { ...strategyContract, ...switchContract },
  routes: strategyRoutes,
});
