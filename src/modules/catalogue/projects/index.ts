import { defineModule } from '../../../platform/module.ts';
import { cloningEnvironment } from '../environments/index.ts';
import { changeRequestEndpoints, environmentEndpoints, projectEndpoints } from './checks.ts';
import { favoriteContract } from './contract/favorites.ts';
import { projectRoutes } from './routes.ts';
import { addClonedEnvironment } from './service/environments.ts';
import { createFirstProject } from './service/project.ts';

export type { Budget, CreateProject, Project, ProjectChange } from './contract/project.ts';
export { effectiveStrategy } from './default-strategy.ts';
export { dueAt, dueAtInSql } from './due.ts';
export { healthOf } from './health.ts';
export { type FeatureNaming, namingBreach } from './naming.ts';
export { listProjectsWith } from './queries/environments.ts';
export { countFeatures } from './queries/features.ts';
export { findProject, listProjects, lockLivingProjects } from './queries/project.ts';
export {
  addEnvironment,
  removingEnvironment,
  setDefaultStrategy,
} from './service/environments.ts';
export {
  getDefaultStrategy,
  getProjectOverviewFor,
  listProjectsFor,
} from './service/overview.ts';
export {
  archiveProject,
  changeProject,
  createProject,
  deletingProject,
  holdProject,
} from './service/project.ts';

import './tables.ts';

export const projects = defineModule({
  name: 'projects',
  contract: {
    ...projectEndpoints,
    ...environmentEndpoints,
    ...changeRequestEndpoints,
    ...favoriteContract,
  },
  routes: projectRoutes,
  firstStart: createFirstProject,
  hooks: [cloningEnvironment.handledBy(addClonedEnvironment)],
});
