import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const groups = defineModule({ name: 'groups', contract: {}, routes: () => undefined });
