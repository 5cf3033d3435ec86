import { defineModule } from '../../../platform/module.ts';
import { endpoints } from './checks.ts';
import { tokenRoutes } from './routes.ts';
import { resealTokens } from './service/reseal.ts';

export { ensureTokens, type InitialTokens, type InitialTokensReport } from './initial-tokens.ts';
export { listTokens } from './queries.ts';
export { newAdminSecret } from './scope.ts';
export { createApiToken, createTokenOfProject } from './service/api-tokens.ts';
export { revokeTokensOf } from './service/revoke-of.ts';
export { createToken, hasAdminToken, revokeToken, revokeTokenById } from './service/token.ts';

import './tables.ts';

export const tokens = defineModule({
  name: 'tokens',
  contract: endpoints,
  routes: tokenRoutes,
  reseal: resealTokens,
});
