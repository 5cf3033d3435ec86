import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { clientApiRoutes } from './routes.ts';

/** What SDKs on servers read. */
export const clientApi = defineModule({ name: 'client-api', contract, routes: clientApiRoutes });
