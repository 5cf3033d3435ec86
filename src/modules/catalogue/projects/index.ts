import { defineModule } from '../../../platform/module.ts';
import { cloningEnvironment } from '../environments/index.ts';
import { changeRequestUseCase } from './change-requests/routes.ts';
import { environmentUseCase } from './environments/routes.ts';
import { addClonedEnvironment } from './environments/service.ts';
import { favoriteUseCase } from './favorites/routes.ts';
import { overviewUseCase } from './overview/routes.ts';
import { projectUseCase } from './routes.ts';
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
  useCases: [
    projectUseCase,
    environmentUseCase,
    changeRequestUseCase,
    favoriteUseCase,
    overviewUseCase,
  ],
  firstStart: createFirstProject,
  hooks: [cloningEnvironment.handledBy(addClonedEnvironment)],
});
