import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { clientApiRoutes } from './routes.ts';

/** The API of server-side SDKs. */
export const clientApi = defineModule({ name: 'client-api', contract, routes: clientApiRoutes });
