import { defineModule } from '../../../platform/module.ts';
import { jobs } from './jobs.ts';

export { type Account, findAccount, listAccounts } from './account-queries.ts';
export { accountIdentity, systemActor } from './actors.ts';
export { changesAccess, changesTokens } from './announce.ts';
export { personalPrefix } from './credentials.ts';
export { type AccessGate, createGate } from './gate.ts';
export { upsertLastSeen } from './gate-queries.ts';
export { accessOf } from './grants.ts';
export { mayIn, type RequiredPermissions, requireInProjects } from './in-project.ts';
export {
  builtInPermissions,
  commonProject,
  ofEditorsInCommonProject,
  type Permission,
  permissions,
  type RolePermission,
  roleIds,
  typeOfPermission,
} from './permissions.ts';
export {
  clearSessionCookie,
  createSession,
  endSession,
  endSessions,
  listActiveSessions,
  type SessionLimits,
  sendSessionCookie,
  sessionSecretOf,
} from './sessions/sessions.ts';
export { listUnchangedActors } from './unchanged-actors.ts';
export {
  type AccountReference,
  findActor,
  findVisibleProjects,
  referenceTo,
} from './visible-projects.ts';

import './tables.ts';

export const access = defineModule({ name: 'access', useCases: [], jobs });
