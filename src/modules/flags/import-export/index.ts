import { defineModule } from '../../../platform/module.ts';
import { endpoints as exportEndpoints } from './export/checks.ts';
import { exportRoutes } from './export/routes.ts';
import { endpoints as importEndpoints } from './import/checks.ts';
import { importRoutes } from './import/routes.ts';

export { readExport } from './export/service.ts';

export const importExport = defineModule({
  name: 'import-export',
  contract: { ...exportEndpoints, ...importEndpoints },
  routes: (app, services) => {
    exportRoutes(app, services);
    importRoutes(app, services);
  },
});
