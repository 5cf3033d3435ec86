import { defineModule } from '../../../platform/module.ts';
import { forgetAccount } from './accounts/service.ts';
import { avatarContract } from './avatar/contract.ts';
import { avatarRoutes } from './avatar/routes.ts';
import { inactiveContract } from './inactive/contract.ts';
import { inactiveRoutes } from './inactive/routes.ts';
import { ownProfileContract } from './own-profile/contract.ts';
import { ownProfileRoutes } from './own-profile/routes.ts';
import { passwordEndpoints } from './passwords/checks.ts';
import { jobs } from './passwords/jobs.ts';
import { passwordRoutes } from './passwords/routes.ts';
import { permissionContract } from './permissions/contract.ts';
import { permissionRoutes } from './permissions/routes.ts';
import { preferenceContract } from './preferences/contract.ts';
import { preferenceRoutes } from './preferences/routes.ts';
import { sourceContract } from './sources/contract.ts';
import { sourceRoutes } from './sources/routes.ts';
import { userAdminEndpoints } from './user-admin/checks.ts';
import { userAdminRoutes } from './user-admin/routes.ts';

export { listAdministrators, lockAdminAndOwnerRoles } from './accounts/administrator-queries.ts';
export { refuseOwnerless, requireAdministrator } from './accounts/last-administrator.ts';
export { listOwnerless } from './accounts/owned-project-queries.ts';
export { findPersonByExternalSubject, type StoredAccount } from './accounts/queries.ts';
export {
  changeAccount,
  createAccount,
  getAccount,
  loginNameOf,
  removeAccount,
  requireAccount,
} from './accounts/service.ts';
export { followAdded, followLettersChanged, followRemoved } from './events.ts';
export { ensureAdministrator, type FirstAdministrator } from './first-administrator/service.ts';
export { createMailer, type Mail, type Mailer } from './mail/mail.ts';
export { invitationUrl, oneLine, resetMail, resetUrl } from './mail/texts.ts';
export { listProjectRolesOf } from './own-profile/queries.ts';
export { confirmationFaults } from './passwords/checks.ts';
export { type HashedPassword, hashPassword, verifyPassword } from './passwords/hash.ts';
export { passwordFaults } from './passwords/policy.ts';
export {
  checkAndHashPassword,
  createPasswordLink,
  findPasswordLink,
  passwordReset,
  removePassword,
  setPassword,
  takePasswordLink,
} from './passwords/service.ts';
export { describeAccess } from './permissions/service.ts';
export { accountTypes, imageUrlIn, imageUrlOf, toUser } from './present.ts';
export { listPeople } from './user-admin/queries.ts';
export {
  createPerson,
  createResetLink,
  findPersonForSignIn,
  getPerson,
  invitePerson,
  recordEndedSessions,
  setExternalSubject,
} from './user-admin/service.ts';

import './tables.ts';

export const users = defineModule({
  name: 'users',
  contract: {
    ...userAdminEndpoints,
    ...permissionContract,
    ...sourceContract,
    ...inactiveContract,
    ...passwordEndpoints,
    ...ownProfileContract,
    ...preferenceContract,
    ...avatarContract,
  },
  routes: (app, services) => {
    userAdminRoutes(app, services);
    inactiveRoutes(app, services);
    permissionRoutes(app, services);
    sourceRoutes(app, services);
    passwordRoutes(app, services);
    ownProfileRoutes(app, services);
    preferenceRoutes(app, services);
    avatarRoutes(app);
  },
  forget: forgetAccount,
  jobs,
});
