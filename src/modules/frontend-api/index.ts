import { defineModule } from '../../platform/module.ts';

/** Decisions for programs in the hands of their users. */
export const frontendApi = defineModule({
  name: 'frontend-api',
  contract: {},
  routes: () => undefined,
});
