import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { oidcRoutes } from './routes.ts';

export const oidc = defineModule({ name: 'oidc', contract, routes: oidcRoutes });
