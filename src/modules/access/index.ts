import { defineModule } from '../../platform/module.ts';

export { systemActor } from './actors.ts';
export { createGate } from './gate.ts';
export { listTokens } from './queries.ts';
export { newAdminSecret, newScopedSecret } from './secrets.ts';
export {
  createToken,
  ensureTokens,
  hasAdminToken,
  type InitialTokens,
  revokeToken,
} from './tokens.ts';

import './tables.ts';

export const access = defineModule({ name: 'access', contract: {}, routes: () => undefined });
