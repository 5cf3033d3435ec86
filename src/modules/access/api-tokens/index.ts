import { defineModule } from '../../../platform/module.ts';
import { resealTokens } from './reseal.ts';
import { apiTokenUseCase } from './routes.ts';

export { ensureTokens, type InitialTokens, type InitialTokensReport } from './initial-tokens.ts';
export { listTokens } from './queries.ts';
export { revokeTokensOf } from './revoke.ts';
export { newAdminSecret } from './scope.ts';
export { secretFault } from './secret-fault.ts';
export { createApiToken, createTokenOfProject } from './service.ts';
export { createToken, hasAdminToken, revokeToken, revokeTokenById } from './token.ts';

import './tables.ts';

export const tokens = defineModule({
  name: 'tokens',
  useCases: [apiTokenUseCase],
  reseal: resealTokens,
});
