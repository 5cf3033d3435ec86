import { defineModule } from '../../platform/module.ts';
import { contract } from './contract.ts';
import { adminUiRoutes } from './routes.ts';

/** Endpoints that only the admin UI uses. */
export const adminUi = defineModule({ name: 'admin-ui', contract, routes: adminUiRoutes });
