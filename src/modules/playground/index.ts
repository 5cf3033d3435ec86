import { defineModule } from '../../platform/module.ts';

/** What would be decided, and why. */
export const playground = defineModule({
  name: 'playground',
  contract: {},
  routes: () => undefined,
});
