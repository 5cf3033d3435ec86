import { defineModule } from '../../../../platform/module.ts';
import { cloningEnvironment } from '../../../catalogue/environments/index.ts';
import { removingEnvironment } from '../../../catalogue/projects/index.ts';
import { contract } from './contract.ts';
import { copyEnvironmentStates, removeEnvironmentStates } from './follow-projects.ts';
import { featureEnvironmentRoutes } from './routes.ts';

export { switchOne } from './switch.ts';

/** Features in environments: on and off, and what becomes of both when environments come and go. */
export const featureEnvironments = defineModule({
  name: 'feature-environments',
  contract,
  routes: featureEnvironmentRoutes,
  hooks: [
    cloningEnvironment.handledBy(copyEnvironmentStates),
    removingEnvironment.handledBy(removeEnvironmentStates),
  ],
});
