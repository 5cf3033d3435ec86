import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { healthHistoryRoutes } from './routes.ts';
import { settleDays } from './settle.ts';

export { type Excess, excessesOf } from './budget.ts';

import './tables.ts';

/** How projects fared, day by day. */
export const healthHistory = defineModule({
  name: 'health-history',
  contract: endpoints,
  routes: healthHistoryRoutes,
  jobs: (services) => [
    {
      name: 'health-history: write down the days that are over',
      everyMs: 60_000,
      run: () => settleDays(services),
    },
  ],
});
