import { defineModule } from '../../../platform/module.ts';
import { contract } from './contract.ts';
import { serviceAccountRoutes } from './routes.ts';

export { createAccountToken, createServiceAccount } from './service.ts';

export const serviceAccounts = defineModule({
  name: 'service-accounts',
  contract,
  routes: serviceAccountRoutes,
});
