import { defineModule } from '../../../platform/module.ts';
import { deleteFamiliarOf } from './attempts/familiar-address-queries.ts';
import { updateForgottenCreator } from './invite-links/queries.ts';
import { inviteLinkUseCase } from './invite-links/routes.ts';
import { jobs } from './jobs.ts';
import { logInUseCase } from './log-in/routes.ts';
import { deleteLoginsOf } from './logins/queries.ts';
import { loginUseCase } from './logins/routes.ts';
import { ownPasswordUseCase } from './own-password/routes.ts';
import { resetUseCase } from './reset/routes.ts';
import { sessionUseCase } from './sessions/routes.ts';

export { basePathOf } from '../../../platform/http/base-path.ts';
export { countSignIn } from './logins/metrics.ts';
export { storeRefusal } from './logins/routes.ts';
export { signInPerson, visitorOf } from './sessions/begin.ts';

import './tables.ts';

export const signIn = defineModule({
  name: 'sign-in',
  useCases: [
    logInUseCase,
    loginUseCase,
    ownPasswordUseCase,
    sessionUseCase,
    resetUseCase,
    inviteLinkUseCase,
  ],
  jobs,
  forget: async (tx, userId) => {
    await deleteFamiliarOf(tx, userId);
    await deleteLoginsOf(tx, userId);
    await updateForgottenCreator(tx, userId);
  },
});
