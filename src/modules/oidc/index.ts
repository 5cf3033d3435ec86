import { defineModule } from '../../platform/module.ts';

export const oidc = defineModule({ name: 'oidc', contract: {}, routes: () => undefined });
