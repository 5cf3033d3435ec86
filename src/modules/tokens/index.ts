import { defineModule } from '../../platform/module.ts';

export { ensureTokens, type InitialTokens, type InitialTokensReport } from './initial-tokens.ts';
export { listTokens } from './queries.ts';
export { newAdminSecret, newScopedSecret } from './scope.ts';
export { createToken, hasAdminToken, revokeToken } from './tokens.ts';

import './tables.ts';

export const tokens = defineModule({ name: 'tokens', contract: {}, routes: () => undefined });
