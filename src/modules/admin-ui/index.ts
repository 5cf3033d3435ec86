import { defineModule } from '../../platform/module.ts';
import { attentionUseCase } from './attention/routes.ts';
import { cspReportsUseCase } from './csp-reports/routes.ts';
import { pageRoutes } from './page/routes.ts';
import { adminUiUseCase } from './routes.ts';

/** The administration page, and the endpoints that only it uses. */
export const adminUi = defineModule({
  name: 'admin-ui',
  useCases: [adminUiUseCase, attentionUseCase, cspReportsUseCase],
  setUp: (services, app) => pageRoutes(app, services),
});
