import { defineModule } from '../../../platform/module.ts';
import { deleteFamiliarOf } from './attempts/familiar-address-queries.ts';
import { inviteLinkContract } from './invite-links/contract.ts';
import { updateForgottenCreator } from './invite-links/queries.ts';
import { inviteLinkRoutes } from './invite-links/routes.ts';
import { jobs } from './jobs.ts';
import { logInContract } from './log-in/contract.ts';
import { logInRoutes } from './log-in/routes.ts';
import { loginsContract } from './logins/contract.ts';
import { deleteLoginsOf } from './logins/queries.ts';
import { loginRoutes } from './logins/routes.ts';
import { ownPasswordEndpoints } from './own-password/checks.ts';
import { ownPasswordRoutes } from './own-password/routes.ts';
import { resetEndpoints } from './reset/checks.ts';
import { resetRoutes } from './reset/routes.ts';
import { sessionContract } from './sessions/contract.ts';
import { sessionRoutes } from './sessions/routes.ts';

export { basePathOf } from '../../../platform/http/base-path.ts';
export { countSignIn } from './logins/metrics.ts';
export { storeRefusal } from './logins/routes.ts';
export { signInPerson, visitorOf } from './sessions/begin.ts';

import './tables.ts';

export const signIn = defineModule({
  name: 'sign-in',
  contract: {
    ...logInContract,
    ...loginsContract,
    ...ownPasswordEndpoints,
    ...sessionContract,
    ...resetEndpoints,
    ...inviteLinkContract,
  },
  routes: (app, services) => {
    logInRoutes(app, services);
    loginRoutes(app, services);
    ownPasswordRoutes(app, services);
    sessionRoutes(app, services);
    resetRoutes(app, services);
    inviteLinkRoutes(app, services);
  },
  jobs,
  forget: async (tx, userId) => {
    await deleteFamiliarOf(tx, userId);
    await deleteLoginsOf(tx, userId);
    await updateForgottenCreator(tx, userId);
  },
});
