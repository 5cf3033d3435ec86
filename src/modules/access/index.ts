import { defineModule } from '../../platform/module.ts';

export { systemActor } from './actors.ts';
export { createGate } from './gate.ts';
export { ensureTokens, type InitialTokens, type InitialTokensReport } from './initial-tokens.ts';
export { listTokens } from './queries.ts';
export { newAdminSecret, newScopedSecret } from './secrets.ts';
export { createToken, hasAdminToken, revokeToken } from './tokens.ts';

import './tables.ts';

export const access = defineModule({ name: 'access', contract: {}, routes: () => undefined });
