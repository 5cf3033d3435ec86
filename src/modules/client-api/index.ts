import { defineModule } from '../../platform/module.ts';

/** What SDKs on servers read. */
export const clientApi = defineModule({
  name: 'client-api',
  contract: {},
  routes: () => undefined,
});
