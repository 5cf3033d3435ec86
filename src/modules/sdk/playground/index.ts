import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { playgroundRoutes } from './routes.ts';

export const playground = defineModule({
  name: 'playground',
  contract: endpoints,
  routes: playgroundRoutes,
});
