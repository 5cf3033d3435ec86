import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { pageRoutes } from './page/routes.ts';
import { adminUiRoutes } from './routes.ts';

/** The administration page, and the endpoints that only it uses. */
export const adminUi = defineModule({
  name: 'admin-ui',
  contract,
  routes: (app, services) => {
    adminUiRoutes(app, services);
    pageRoutes(app, services);
  },
});
