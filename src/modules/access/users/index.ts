import { defineModule } from '../../../platform/module.ts';
import { passwordEndpoints, peopleEndpoints } from './checks.ts';
import { avatarContract } from './contract/avatar.ts';
import { inactiveContract } from './contract/inactive.ts';
import { ownProfileContract } from './contract/own-profile.ts';
import { permissionContract } from './contract/permissions.ts';
import { preferenceContract } from './contract/preferences.ts';
import { jobs } from './jobs.ts';
import { mailerOf } from './mail.ts';
import { avatarRoutes } from './routes/avatar.ts';
import { ownProfileRoutes } from './routes/own-profile.ts';
import { passwordRoutes } from './routes/passwords.ts';
import { peopleRoutes } from './routes/people.ts';
import { preferenceRoutes } from './routes/preferences.ts';
import { forgetAccount } from './service/accounts.ts';

export { accountTypes, imageUrlIn, imageUrlOf, userAnswer } from './answer.ts';
export { confirmationFaults } from './checks.ts';
export { invitationUrl, resetUrl } from './links.ts';
export { mailerOf } from './mail.ts';
export { resetOffer } from './mail-texts.ts';
export { type HashedPassword, hashPassword, verifyPassword } from './password-hash.ts';
export { passwordFaults } from './password-policy.ts';
export { findPersonByExternalSubject, type StoredAccount } from './queries/accounts.ts';
export { listAdministrators, lockIndispensable } from './queries/administrators.ts';
export { listProjectRolesOf } from './queries/own-profile.ts';
export { listOwnerless } from './queries/owned-projects.ts';
export { listPeople } from './queries/people.ts';
export {
  changeAccount,
  createAccount,
  getAccount,
  loginNameOf,
  removeAccount,
  requireAccount,
} from './service/accounts.ts';
export { ensureAdministrator, type FirstAdministrator } from './service/first-administrator.ts';
export { keepAnAdministrator, refuseOwnerless } from './service/indispensable.ts';
export {
  createPasswordLink,
  findPasswordLink,
  hashGoodPassword,
  passwordReset,
  removePassword,
  setPassword,
  takePasswordLink,
} from './service/passwords.ts';
export {
  createPerson,
  findPersonForSignIn,
  getPerson,
  invitePerson,
  offerReset,
  setExternalSubject,
} from './service/people.ts';
export { describeAccess } from './service/permissions.ts';

import './tables.ts';

export const users = defineModule({
  name: 'users',
  contract: {
    ...peopleEndpoints,
    ...permissionContract,
    ...inactiveContract,
    ...passwordEndpoints,
    ...ownProfileContract,
    ...preferenceContract,
    ...avatarContract,
  },
  routes: (app, services) => {
    const mailer = mailerOf(services);
    peopleRoutes(app, services, mailer);
    passwordRoutes(app, services, mailer);
    ownProfileRoutes(app, services);
    preferenceRoutes(app, services);
    avatarRoutes(app);
  },
  forget: forgetAccount,
  jobs,
});
