import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const settings = defineModule({ name: 'settings', contract: {}, routes: () => undefined });
