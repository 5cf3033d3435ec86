import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const users = defineModule({ name: 'users', contract: {}, routes: () => undefined });
