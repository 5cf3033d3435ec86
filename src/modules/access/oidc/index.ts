import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { oidcRoutes } from './routes.ts';

export const oidc = defineModule({ name: 'oidc', contract: endpoints, routes: oidcRoutes });
