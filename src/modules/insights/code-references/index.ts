import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { codeReferenceRoutes } from './routes.ts';

export { replaceReferences } from './service.ts';

import './tables.ts';

/** References to features in source code. */
export const codeReferences = defineModule({
  name: 'code-references',
  contract: endpoints,
  routes: codeReferenceRoutes,
});
