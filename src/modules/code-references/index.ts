import { defineModule } from '../../platform/module.ts';

import './tables.ts';

/** Where features stand in code. */
export const codeReferences = defineModule({
  name: 'code-references',
  contract: {},
  routes: () => undefined,
});
