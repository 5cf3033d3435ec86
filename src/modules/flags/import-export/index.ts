import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract/endpoints.ts';
import { transferRoutes } from './routes.ts';

export const transfer = defineModule({ name: 'transfer', contract, routes: transferRoutes });
