import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { transferRoutes } from './routes.ts';

export const transfer = defineModule({
  name: 'transfer',
  contract: endpoints,
  routes: transferRoutes,
});
