import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { environmentRoutes } from './routes.ts';
import { createFirstEnvironments } from './service.ts';

export type { Environment } from './contract.ts';
export { lockEnabledEnvironments, lockEnvironments } from './queries.ts';
export {
  changeEnvironment,
  cloningEnvironment,
  createEnvironment,
} from './service.ts';

import './tables.ts';

export const environments = defineModule({
  name: 'environments',
  contract,
  routes: environmentRoutes,
  firstStart: createFirstEnvironments,
});
