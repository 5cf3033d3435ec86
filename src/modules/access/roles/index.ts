import { defineModule } from '../../../platform/module.ts';
import { roleUseCase } from './routes.ts';

export type { Role } from './contract.ts';
export { findRole, findRootRole, listRootRoles, lockRole } from './queries.ts';
export {
  changeRole,
  copyEnvironmentPermissions,
  createRole,
  getRootRole,
  noRootRole,
  permissionsOfRoles,
  removeEnvironmentPermissions,
  removeRole,
} from './service.ts';

import './tables.ts';

export const roles = defineModule({ name: 'roles', useCases: [roleUseCase] });
