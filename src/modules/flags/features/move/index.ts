import { defineModule } from '../../../../platform/module.ts';
import { contract } from './contract.ts';
import { reorganisationRoutes } from './routes.ts';

/** What a change of projects and environments does to the features in them. */
export const reorganisation = defineModule({
  name: 'reorganisation',
  contract,
  routes: reorganisationRoutes,
});
