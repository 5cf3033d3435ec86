import { defineModule } from '../../../platform/module.ts';
import { budgetUseCase } from './budget/routes.ts';
import { historyUseCase } from './history/routes.ts';
import { snapshotFinishedDays } from './snapshots/finished-days.ts';

export { type Excess, excessesOf } from './budget/service.ts';

import './tables.ts';

/** The daily health of projects, and their budgets. */
export const healthHistory = defineModule({
  name: 'health-history',
  useCases: [historyUseCase, budgetUseCase],
  jobs: (services) => [
    {
      name: 'health-history: store completed days',
      everyMs: 60_000,
      run: () => snapshotFinishedDays(services),
    },
  ],
});
