import { defineModule } from '../../../platform/module.ts';
import { oneRoleUseCase } from './one-role/routes.ts';
import { projectAccessUseCase } from './routes.ts';

export { mayReadAccess } from './access-schema.ts';
export { addRoles, makeOwner, removeRoles, setRoles } from './service.ts';

import './tables.ts';

export const projectAccess = defineModule({
  name: 'project-access',
  useCases: [projectAccessUseCase, oneRoleUseCase],
});
