import { defineModule } from '../../../platform/module.ts';
import { jobs } from './jobs.ts';

export { type Account, findAccount } from './account-queries.ts';
export { type AccountReference, findSight, referenceTo } from './account-sight.ts';
export { accountIdentity, systemActor } from './actors.ts';
export { concernsAccess, concernsTokens } from './announce.ts';
export { createMemory, personalPrefix } from './credentials.ts';
export { listUnchangedActors } from './followers.ts';
export { type AccessGate, createGate } from './gate.ts';
export { accessOf } from './grants.ts';
export { demandIn, mayIn, type Needed } from './in-project.ts';
export {
  builtInPermissions,
  type Permission,
  permissions,
  type RolePermission,
  roleIds,
  typeOfPermission,
} from './permissions.ts';
export {
  beginSession,
  clearSessionCookie,
  endSession,
  endSessions,
  listLivingSessions,
  type SessionLimits,
  sendSessionCookie,
  sessionSecretOf,
} from './sessions/sessions.ts';

import './tables.ts';

export const access = defineModule({ name: 'access', contract: {}, routes: () => undefined, jobs });
