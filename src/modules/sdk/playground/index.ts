import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { playgroundRoutes } from './routes.ts';

/** What would be decided, and why. */
export const playground = defineModule({
  name: 'playground',
  contract: endpoints,
  routes: playgroundRoutes,
});
