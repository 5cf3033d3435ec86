import { defineModule } from '../../../platform/module.ts';
import { passwordReset } from '../users/index.ts';
import { personalTokenUseCase } from './routes.ts';
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
  useCases: [personalTokenUseCase],
  forget: forgetPersonalTokens,
  hooks: [passwordReset.handledBy(removePersonalTokensOf)],
});
