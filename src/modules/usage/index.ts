import { defineModule } from '../../platform/module.ts';

import './tables.ts';

/** What programs that evaluate tell of themselves, and how often each feature was asked for. */
export const usage = defineModule({ name: 'usage', contract: {}, routes: () => undefined });
