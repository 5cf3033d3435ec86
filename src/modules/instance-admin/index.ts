import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { insightsEndpoints } from './insights/checks.ts';
import { instanceAdminRoutes } from './routes.ts';

/** What the installation has, in numbers, for its administrators. */
export const instanceAdmin = defineModule({
  name: 'instance-admin',
  contract: { ...contract, ...insightsEndpoints },
  routes: instanceAdminRoutes,
});
