import { defineModule } from '../../../platform/module.ts';
import { decisionsEndpoints, endpoints } from './checks.ts';
import { playgroundRoutes } from './routes.ts';
import { unsavedEndpoints } from './unsaved/checks.ts';

export const playground = defineModule({
  name: 'playground',
  contract: { ...endpoints, ...decisionsEndpoints, ...unsavedEndpoints },
  routes: playgroundRoutes,
});
