import { defineModule } from '../../platform/module.ts';
import { environmentContract } from './contract/environments.ts';
import { projectContract } from './contract/project.ts';
import { projectRoutes } from './routes.ts';
import { createFirstProject } from './service/project.ts';

export { matchesNaming } from './naming.ts';

import './tables.ts';

export const projects = defineModule({
  name: 'projects',
  contract: { ...projectContract, ...environmentContract },
  routes: projectRoutes,
  firstStart: createFirstProject,
});
