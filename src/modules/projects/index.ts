import { defineModule } from '../../platform/module.ts';
import { environmentContract } from './contract/environments.ts';
import { projectContract } from './contract/project.ts';
import { projectRoutes } from './routes.ts';
import { createFirstProject } from './service/project.ts';

export type { CreateProject, ProjectChange } from './contract/project.ts';
export { listProjects } from './queries/project.ts';
export { addEnvironment, setDefaultStrategy } from './service/environments.ts';
export { archiveProject, changeProject, createProject } from './service/project.ts';

import './tables.ts';

export const projects = defineModule({
  name: 'projects',
  contract: { ...projectContract, ...environmentContract },
  routes: projectRoutes,
  firstStart: createFirstProject,
});
