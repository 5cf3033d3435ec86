import { defineModule } from '../../../platform/module.ts';
import { environmentUseCase } from './routes.ts';
import { createFirstEnvironments } from './service.ts';

export type { Environment } from './contract.ts';
export { lockEnabledEnvironments, lockEnvironments } from './queries.ts';
export {
  changeEnvironment,
  cloningEnvironment,
  createEnvironment,
  removeEnvironment,
} from './service.ts';

import './tables.ts';

export const environments = defineModule({
  name: 'environments',
  useCases: [environmentUseCase],
  firstStart: createFirstEnvironments,
});
