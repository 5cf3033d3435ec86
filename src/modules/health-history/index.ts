import { defineModule } from '../../platform/module.ts';

import './tables.ts';

/** How projects fared, day by day. */
export const healthHistory = defineModule({
  name: 'health-history',
  contract: {},
  routes: () => undefined,
});
