import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const projectAccess = defineModule({
  name: 'project-access',
  contract: {},
  routes: () => undefined,
});
