import { defineModule } from '../../../platform/module.ts';
import { accessContract } from './contract/access.ts';
import { oneRoleContract } from './contract/one-role.ts';
import { projectAccessRoutes } from './routes.ts';

export { addRoles, makeOwner, removeRoles } from './service/access.ts';

import './tables.ts';

export const projectAccess = defineModule({
  name: 'project-access',
  contract: { ...accessContract, ...oneRoleContract },
  routes: projectAccessRoutes,
});
