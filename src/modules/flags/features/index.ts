import { defineModule } from '../../../platform/module.ts';
import { deletingProject } from '../../catalogue/projects/index.ts';
import { archiveContract } from './archive/contract.ts';
import { archiveRoutes } from './archive/routes.ts';
import { removeFeaturesOf } from './archive/service.ts';
import { featureEndpoints } from './checks.ts';
import { dependencyEndpoints } from './dependencies/checks.ts';
import { dependencyRoutes } from './dependencies/routes.ts';
import { favoriteContract } from './favorites/contract.ts';
import { favoriteRoutes } from './favorites/routes.ts';
import { featureTypeContract } from './feature-types/contract.ts';
import { featureTypeRoutes } from './feature-types/routes.ts';
import { createFeatureTypes } from './feature-types/service.ts';
import { lifecycleContract } from './lifecycle/contract.ts';
import { lifecycleRoutes } from './lifecycle/routes.ts';
import { updateForgottenCreator } from './queries.ts';
import { featureRoutes } from './routes.ts';
import { searchEndpoints } from './search/checks.ts';
import { searchRoutes } from './search/routes.ts';
import { variantEndpoints } from './variants/checks.ts';
import { variantRoutes } from './variants/routes.ts';

export { environmentAnswer, featureAnswer, strategyAnswer } from './answers.ts';
export { archiveFeature } from './archive/service.ts';
export { recordReview } from './change/review.ts';
export { changeLockedFeature, markStale } from './change/service.ts';
export {
  createFeature,
  createFeatures,
  createInReceiver,
  creationFaults,
  getReceiver,
  maxFeatures,
  type NewFeature,
  refuseCreation,
} from './creation/service.ts';
export { addDependencies, addDependency } from './dependencies/service.ts';
export { deleteEnvironmentState, listStatesIn } from './environment-state/queries.ts';
export { getEnvironmentState, recordSwitch, switchFeatures } from './environment-state/service.ts';
export type { ReviewFacts } from './events.ts';
export type { Dependency, Feature, Strategy } from './feature-schema.ts';
export { stages } from './lifecycle/contract.ts';
export { completeFeature, enterStage } from './lifecycle/service.ts';
export {
  getFeaturesInBulk,
  getLivingFeature,
  type LockedFeature,
  lockFeatures,
  placeOf,
} from './lock.ts';
export { listFeatureNames } from './read/list-queries.ts';
export { describeNewFeature, getFeature, listFeatures } from './read/service.ts';
export { markSeen } from './sightings/service.ts';
export {
  recordVariants,
  replaceVariantsInBatch,
  setVariants,
  setVariantsOf,
} from './variants/service.ts';
export { completeVariants, variantFaults } from './variants/variant.ts';
export type { Variant } from './variants/variant-schema.ts';

import './tables.ts';

export const features = defineModule({
  name: 'features',
  contract: {
    ...featureEndpoints,
    ...archiveContract,
    ...searchEndpoints,
    ...featureTypeContract,
    ...variantEndpoints,
    ...dependencyEndpoints,
    ...lifecycleContract,
    ...favoriteContract,
  },
  routes: (app, services) => {
    featureRoutes(app, services);
    archiveRoutes(app, services);
    searchRoutes(app, services);
    featureTypeRoutes(app, services);
    variantRoutes(app, services);
    dependencyRoutes(app, services);
    lifecycleRoutes(app, services);
    favoriteRoutes(app, services);
  },
  firstStart: createFeatureTypes,
  hooks: [deletingProject.handledBy(removeFeaturesOf)],
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
  },
});
