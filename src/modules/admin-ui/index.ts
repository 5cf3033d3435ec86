import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { adminUiRoutes } from './routes.ts';

/** What only pages ask for: small answers, but true ones. */
export const adminUi = defineModule({ name: 'admin-ui', contract, routes: adminUiRoutes });
