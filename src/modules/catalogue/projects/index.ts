import { defineModule } from '../../../platform/module.ts';
import { cloningEnvironment } from '../environments/index.ts';
import { archiveUseCase } from './archive/routes.ts';
import { changeUseCase } from './change/routes.ts';
import { changeRequestUseCase } from './change-requests/routes.ts';
import { createUseCase } from './create/routes.ts';
import { createFirstProject } from './create/service.ts';
import { deleteUseCase } from './delete/routes.ts';
import { environmentUseCase } from './environments/routes.ts';
import { addClonedEnvironment } from './environments/service.ts';
import { favoriteUseCase } from './favorites/routes.ts';
import { listUseCase } from './list/routes.ts';
import { overviewUseCase } from './overview/routes.ts';

export { archiveProject, reviveProject } from './archive/service.ts';
export { changeProject } from './change/service.ts';
export type { ChangeRequestRules } from './change-requests/contract.ts';
export {
  type ChangeRequestEnvironment,
  changedChangeRequestSettings,
  changeRequestsPath,
  findChangeRequestSettings,
  listChangeRequestEnvironments,
  setChangeRequestConfig,
} from './change-requests/service.ts';
export { usualRules } from './change-requests/settings.ts';
export type { CreateProject } from './create/contract.ts';
export { type RestoredEnvironment, restoreProject } from './create/restore.ts';
export { createProject } from './create/service.ts';
export { deletingProject, removeProject } from './delete/service.ts';
export { effectiveStrategy } from './environments/default-strategy.ts';
export { listProjectsWith } from './environments/queries.ts';
export { getDefaultStrategy } from './environments/read.ts';
export {
  addEnvironment,
  removeDefaultStrategy,
  removeEnvironment,
  removingEnvironment,
  setDefaultStrategy,
} from './environments/service.ts';
export { importFavorite as importFavoriteProject } from './favorites/service.ts';
export { countFeatures, countFeaturesToCleanUp, healthOf } from './feature-counts.ts';
export { type FeatureNaming, namingBreach } from './feature-naming/naming.ts';
export { listProjectsFor } from './list/service.ts';
export { lockForNewFeature } from './lock.ts';
export type { OnboardingStatus } from './overview/contract.ts';
export {
  featureSummaries,
  featureTypeCounts,
  getProjectOverviewFor,
  onboardingStatus,
  projectStats,
} from './overview/service.ts';
export type { Budget, LinkTemplate, Project, ProjectChange } from './project-schema.ts';
export { findProject, listProjects, lockActiveProjects, lockProject } from './queries.ts';

import './tables.ts';

export const projects = defineModule({
  name: 'projects',
  useCases: [
    listUseCase,
    createUseCase,
    changeUseCase,
    deleteUseCase,
    archiveUseCase,
    environmentUseCase,
    changeRequestUseCase,
    favoriteUseCase,
    overviewUseCase,
  ],
  firstStart: createFirstProject,
  hooks: [cloningEnvironment.handledBy(addClonedEnvironment)],
});
