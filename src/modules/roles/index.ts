import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const roles = defineModule({ name: 'roles', contract: {}, routes: () => undefined });
