import { defineModule } from '../../../platform/module.ts';
import { deletingUser, passwordReset } from '../../access/users/index.ts';
import { readUseCase } from './read/routes.ts';
import { deleteTokens } from './tokens/queries.ts';
import { tokensUseCase } from './tokens/routes.ts';
import { removeCalendarTokensOf } from './tokens/service.ts';

import './tables.ts';

export const calendar = defineModule({
  name: 'calendar',
  useCases: [readUseCase, tokensUseCase],
  hooks: [
    passwordReset.handledBy(removeCalendarTokensOf),
    deletingUser.handledBy(removeCalendarTokensOf),
  ],
  forget: async (tx, userId) => {
    await deleteTokens(tx, userId);
  },
});
