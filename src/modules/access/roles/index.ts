import { defineModule } from '../../../platform/module.ts';
import { roleUseCase } from './routes.ts';

export type { Role } from './contract.ts';
export { findRole, findRootRole, listRootRoles } from './queries.ts';
export {
  copyEnvironmentPermissions,
  createRole,
  getRootRole,
  noRootRole,
  permissionsOfRoles,
  removeEnvironmentPermissions,
} from './service.ts';

import './tables.ts';

export const roles = defineModule({ name: 'roles', useCases: [roleUseCase] });
