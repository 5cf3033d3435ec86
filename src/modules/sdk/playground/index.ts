import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { playgroundRoutes } from './routes.ts';

/** What would be decided, and why. */
export const playground = defineModule({
  name: 'playground',
  contract,
  routes: playgroundRoutes,
});
