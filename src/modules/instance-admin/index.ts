import { defineModule } from '../../platform/module.ts';
import { instanceAdminUseCase } from './routes.ts';

/** Statistics of the installation, for administrators. */
export const instanceAdmin = defineModule({
  name: 'instance-admin',
  useCases: [instanceAdminUseCase],
});
