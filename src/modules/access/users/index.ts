import { defineModule } from '../../../platform/module.ts';
import { forgetAccount } from './accounts/service.ts';
import { avatarUseCase } from './avatar/routes.ts';
import { inactiveUseCase } from './inactive/routes.ts';
import { ownProfileUseCase } from './own-profile/routes.ts';
import { jobs } from './passwords/jobs.ts';
import { passwordUseCase } from './passwords/routes.ts';
import { permissionUseCase } from './permissions/routes.ts';
import { preferenceUseCase } from './preferences/routes.ts';
import { sourceUseCase } from './sources/routes.ts';
import { userAdminUseCase } from './user-admin/routes.ts';

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
export { directEmailsChanged, followAdded, followLettersChanged, followRemoved } from './events.ts';
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
  changePerson,
  createPerson,
  createResetLink,
  deletingUser,
  findPersonForSignIn,
  getPerson,
  invitePerson,
  recordEndedSessions,
  setExternalSubject,
} from './user-admin/service.ts';

import './tables.ts';

export const users = defineModule({
  name: 'users',
  useCases: [
    userAdminUseCase,
    inactiveUseCase,
    permissionUseCase,
    sourceUseCase,
    passwordUseCase,
    ownProfileUseCase,
    preferenceUseCase,
    avatarUseCase,
  ],
  forget: forgetAccount,
  jobs,
});
