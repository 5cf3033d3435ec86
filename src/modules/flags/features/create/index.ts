import { defineModule } from '../../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { newFeatureRoutes } from './routes.ts';

export const newFeatures = defineModule({
  name: 'new-features',
  contract: endpoints,
  routes: newFeatureRoutes,
});
