import { defineModule } from '../../../platform/module.ts';
import { ownPasswordEndpoints, resetEndpoints } from './checks.ts';
import { inviteLinkContract } from './contract/invite-links.ts';
import { logInContract } from './contract/log-in.ts';
import { loginsContract } from './contract/logins.ts';
import { sessionContract } from './contract/sessions.ts';
import { jobs } from './jobs.ts';
import { pageRoutes } from './pages/routes.ts';
import { deleteFamiliarOf } from './queries/familiar-addresses.ts';
import { updateForgottenCreator } from './queries/invite-links.ts';
import { deleteLoginsOf } from './queries/logins.ts';
import { inviteLinkRoutes } from './routes/invite-links.ts';
import { logInRoutes } from './routes/log-in.ts';
import { loginRoutes } from './routes/logins.ts';
import { ownPasswordRoutes } from './routes/own-password.ts';
import { resetRoutes } from './routes/reset.ts';
import { sessionRoutes } from './routes/sessions.ts';

export { basePathOf } from './base-path.ts';
export { countSignIn } from './figures.ts';
export { keepRefusal } from './routes/logins.ts';
export { signInPerson, visitorOf } from './session.ts';

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
    pageRoutes(app, services);
  },
  jobs,
  forget: async (tx, userId) => {
    await deleteFamiliarOf(tx, userId);
    await deleteLoginsOf(tx, userId);
    await updateForgottenCreator(tx, userId);
  },
});
