import { defineModule } from '../../platform/module.ts';

export const serviceAccounts = defineModule({
  name: 'service-accounts',
  contract: {},
  routes: () => undefined,
});
