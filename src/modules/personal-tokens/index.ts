import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const personalTokens = defineModule({
  name: 'personal-tokens',
  contract: {},
  routes: () => undefined,
});
