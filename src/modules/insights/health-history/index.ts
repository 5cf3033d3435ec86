import { defineModule } from '../../../platform/module.ts';
import { budgetContract } from './budget/contract.ts';
import { budgetRoutes } from './budget/routes.ts';
import { historyEndpoints } from './history/checks.ts';
import { historyRoutes } from './history/routes.ts';
import { snapshotFinishedDays } from './snapshots/finished-days.ts';

export { type Excess, excessesOf } from './budget/service.ts';

import './tables.ts';

/** The daily health of projects, and their budgets. */
export const healthHistory = defineModule({
  name: 'health-history',
  contract: { ...historyEndpoints, ...budgetContract },
  routes: (app, services) => {
    historyRoutes(app, services);
    budgetRoutes(app, services);
  },
  jobs: (services) => [
    {
      name: 'health-history: write down the days that are over',
      everyMs: 60_000,
      run: () => snapshotFinishedDays(services),
    },
  ],
});
