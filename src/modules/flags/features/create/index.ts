import { defineModule } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { newFeatureRoutes } from './routes.ts';

export const newFeatures = defineModule({
  name: 'new-features',
  contract,
  routes: newFeatureRoutes,
});
