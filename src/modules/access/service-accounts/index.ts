import { defineModule } from '../../../platform/module.ts';
import { serviceAccountUseCase } from './routes.ts';

export { changeServiceAccount, createAccountToken, createServiceAccount } from './service.ts';

export const serviceAccounts = defineModule({
  name: 'service-accounts',
  useCases: [serviceAccountUseCase],
});
