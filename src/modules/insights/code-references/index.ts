import { defineModule } from '../../../platform/module.ts';
import { codeReferenceUseCase } from './routes.ts';

export { replaceReferences } from './service.ts';

import './tables.ts';

/** References to features in source code. */
export const codeReferences = defineModule({
  name: 'code-references',
  useCases: [codeReferenceUseCase],
});
