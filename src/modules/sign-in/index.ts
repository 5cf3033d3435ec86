import { defineModule } from '../../platform/module.ts';

import './tables.ts';

export const signIn = defineModule({ name: 'sign-in', contract: {}, routes: () => undefined });
