import { defineModule } from '../../../platform/module.ts';
import { accessContract } from './contract.ts';
import { oneRoleContract } from './one-role/contract.ts';
import { oneRoleRoutes } from './one-role/routes.ts';
import { projectAccessRoutes } from './routes.ts';

export { addRoles, makeOwner, removeRoles } from './service.ts';

import './tables.ts';

export const projectAccess = defineModule({
  name: 'project-access',
  contract: { ...accessContract, ...oneRoleContract },
  routes: (app, services) => {
    projectAccessRoutes(app, services);
    oneRoleRoutes(app, services);
  },
});
