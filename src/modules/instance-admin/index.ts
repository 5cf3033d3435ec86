import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { insightsEndpoints } from './insights/checks.ts';
import { instanceAdminRoutes } from './routes.ts';

/** Statistics of the installation, for administrators. */
export const instanceAdmin = defineModule({
  name: 'instance-admin',
  contract: { ...contract, ...insightsEndpoints },
  routes: instanceAdminRoutes,
});
