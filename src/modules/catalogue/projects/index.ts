import { defineModule } from '../../../platform/module.ts';
import { cloningEnvironment } from '../environments/index.ts';
import { changeRequestEndpoints } from './change-requests/checks.ts';
import { changeRequestRoutes } from './change-requests/routes.ts';
import { projectEndpoints } from './checks.ts';
import { environmentEndpoints } from './environments/checks.ts';
import { environmentRoutes } from './environments/routes.ts';
import { addClonedEnvironment } from './environments/service.ts';
import { favoriteContract } from './favorites/contract.ts';
import { favoriteRoutes } from './favorites/routes.ts';
import { overviewContract } from './overview/contract.ts';
import { overviewRoutes } from './overview/routes.ts';
import { projectRoutes } from './routes.ts';
import { createFirstProject } from './service.ts';

export type { Budget, CreateProject, LinkTemplate, Project, ProjectChange } from './contract.ts';
export { effectiveStrategy } from './environments/default-strategy.ts';
export { listProjectsWith } from './environments/queries.ts';
export {
  addEnvironment,
  removeDefaultStrategy,
  removeEnvironment,
  removingEnvironment,
  setDefaultStrategy,
} from './environments/service.ts';
export { importFavorite as importFavoriteProject } from './favorites/service.ts';
export { countFeatures, healthOf } from './feature-counts.ts';
export { type FeatureNaming, namingBreach } from './feature-naming/naming.ts';
export type { OnboardingStatus } from './overview/contract.ts';
export { featureSummaries, onboardingStatus, projectStats } from './overview/service.ts';
export { findProject, listProjects, lockLivingProjects } from './queries.ts';
export {
  getDefaultStrategy,
  getProjectOverviewFor,
  listProjectsFor,
} from './read.ts';
export {
  archiveProject,
  changeProject,
  createProject,
  deletingProject,
  lockForNewFeature,
  reviveProject,
} from './service.ts';

import './tables.ts';

export const projects = defineModule({
  name: 'projects',
  contract: {
    ...projectEndpoints,
    ...environmentEndpoints,
    ...changeRequestEndpoints,
    ...favoriteContract,
    ...overviewContract,
  },
  routes: (app, services) => {
    projectRoutes(app, services);
    environmentRoutes(app, services);
    changeRequestRoutes(app, services);
    favoriteRoutes(app, services);
    overviewRoutes(app, services);
  },
  firstStart: createFirstProject,
  hooks: [cloningEnvironment.handledBy(addClonedEnvironment)],
});
