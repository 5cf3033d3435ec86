import { defineModule } from '../../../platform/module.ts';
import { passwordReset } from '../users/index.ts';
import { contract } from './contract.ts';
import { personalTokenRoutes } from './routes.ts';
import { forgetPersonalTokens, removePersonalTokensOf } from './service.ts';

export type { PersonalToken } from './contract.ts';
export { listTokensOf } from './queries.ts';
export {
  createPersonalToken,
  listPersonalTokens,
  removePersonalToken,
  removePersonalTokensOf,
} from './service.ts';

import './tables.ts';

export const personalTokens = defineModule({
  name: 'personal-tokens',
  contract,
  routes: personalTokenRoutes,
  forget: forgetPersonalTokens,
  hooks: [passwordReset.handledBy(removePersonalTokensOf)],
});
