import { defineModule } from '../../../platform/module.ts';
import { cloningEnvironment } from '../../catalogue/environments/index.ts';
import {
  deletingProject,
  featureSummaries,
  removingEnvironment,
} from '../../catalogue/projects/index.ts';
import { archiveContract } from './archive/contract.ts';
import { archiveRoutes } from './archive/routes.ts';
import { removeFeaturesOf } from './archive/service.ts';
import { endpoints as bulkEndpoints } from './bulk/checks.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { changeSetEndpoints } from './change-set/checks.ts';
import { changeSetRoutes } from './change-set/routes.ts';
import { featureEndpoints } from './checks.ts';
import { endpoints as cloneEndpoints } from './clone/checks.ts';
import { cloneRoutes } from './clone/routes.ts';
import { endpoints as createEndpoints } from './create/checks.ts';
import { createFeatureRoutes } from './create/routes.ts';
import { dependencyEndpoints } from './dependencies/checks.ts';
import { dependencyRoutes } from './dependencies/routes.ts';
import { contract as environmentContract } from './environments/contract.ts';
import { copyEnvironmentStates, removeEnvironmentStates } from './environments/follow-catalogue.ts';
import { featureEnvironmentRoutes } from './environments/routes.ts';
import { favoriteContract } from './favorites/contract.ts';
import { favoriteRoutes } from './favorites/routes.ts';
import { featureTypeContract } from './feature-types/contract.ts';
import { featureTypeRoutes } from './feature-types/routes.ts';
import { createFeatureTypes } from './feature-types/service.ts';
import { lifecycleContract } from './lifecycle/contract.ts';
import { lifecycleRoutes } from './lifecycle/routes.ts';
import { linkContract } from './links/contract.ts';
import { linkRoutes } from './links/routes.ts';
import { contract as moveContract } from './move/contract.ts';
import { moveRoutes } from './move/routes.ts';
import { updateForgottenCreator } from './queries.ts';
import { listFeatures } from './read/service.ts';
import { featureRoutes } from './routes.ts';
import { searchEndpoints } from './search/checks.ts';
import { searchRoutes } from './search/routes.ts';
import { endpoints as addStrategyEndpoints } from './strategies/add/checks.ts';
import { addStrategyRoutes } from './strategies/add/routes.ts';
import { endpoints as changeStrategyEndpoints } from './strategies/change/checks.ts';
import { changeStrategyRoutes } from './strategies/change/routes.ts';
import { endpoints as orderStrategyEndpoints } from './strategies/order/checks.ts';
import { orderStrategyRoutes } from './strategies/order/routes.ts';
import { contract as readStrategyContract } from './strategies/read/contract.ts';
import { readStrategyRoutes } from './strategies/read/routes.ts';
import { contract as removeStrategyContract } from './strategies/remove/contract.ts';
import { removeStrategyRoutes } from './strategies/remove/routes.ts';
import { variantEndpoints } from './variants/checks.ts';
import { variantRoutes } from './variants/routes.ts';

export { archiveFeature, reviveFeature } from './archive/service.ts';
export type { Blueprint, Creator } from './assemble/blueprint.ts';
export { addContents, assemble } from './assemble/service.ts';
export { getTargetProject } from './assemble/target-project.ts';
export type { BulkOutcome } from './bulk/contract.ts';
export { recordReview } from './change/review.ts';
export { changeLockedFeature, markStale } from './change/service.ts';
export { createFeatures } from './create/service.ts';
export { importCreation } from './creation/service.ts';
export { addDependencies, addDependencyOf, removeParents } from './dependencies/service.ts';
export { switchFeatures } from './environments/state.ts';
export { switchOne } from './environments/switch.ts';
export type { ReviewFacts } from './events.ts';
export { importFavorite as importFavoriteFeature } from './favorites/service.ts';
export type { Dependency, Strategy } from './feature-schema.ts';
export { importFeatureType, setLifetime } from './feature-types/service.ts';
export { findDefaultStickiness } from './find-feature.ts';
export { stages } from './lifecycle/contract.ts';
export { completeFeature, enterStage, importStage } from './lifecycle/service.ts';
export { maxFeatures } from './limits.ts';
export { importLinks } from './links/service.ts';
export { aboutFeature, getLivingFeature, type LockedFeature, lockFeatures } from './lock.ts';
export { changeProjectOf } from './move/service.ts';
export { type CompleteFeature, readFeatures } from './read/queries.ts';
export { listWholeFeatures } from './read/service.ts';
export { markSeen } from './sightings/service.ts';
export { maxStrategies } from './strategies/add/contract.ts';
export { addStrategy } from './strategies/add/service.ts';
export { replaceStrategy } from './strategies/change/service.ts';
export { inputFaults, strategyFromInput } from './strategies/input.ts';
export { listStrategies, listStrategiesIn } from './strategies/read/queries.ts';
export { withdrawStrategiesIn } from './strategies/remove/service.ts';
export { replaceVariantsInBatch, setVariantsOf } from './variants/service.ts';
export { completeVariants, variantFaults } from './variants/variant.ts';
export type { Variant } from './variants/variant-schema.ts';

import './tables.ts';

export const features = defineModule({
  name: 'features',
  contract: {
    ...featureEndpoints,
    ...archiveContract,
    ...changeSetEndpoints,
    ...searchEndpoints,
    ...featureTypeContract,
    ...variantEndpoints,
    ...dependencyEndpoints,
    ...linkContract,
    ...lifecycleContract,
    ...favoriteContract,
    ...readStrategyContract,
    ...addStrategyEndpoints,
    ...orderStrategyEndpoints,
    ...changeStrategyEndpoints,
    ...removeStrategyContract,
    ...environmentContract,
    ...createEndpoints,
    ...cloneEndpoints,
    ...moveContract,
    ...bulkEndpoints,
  },
  routes: (app, services) => {
    featureRoutes(app, services);
    archiveRoutes(app, services);
    changeSetRoutes(app, services);
    searchRoutes(app, services);
    featureTypeRoutes(app, services);
    variantRoutes(app, services);
    dependencyRoutes(app, services);
    linkRoutes(app, services);
    lifecycleRoutes(app, services);
    favoriteRoutes(app, services);
    readStrategyRoutes(app, services);
    addStrategyRoutes(app, services);
    orderStrategyRoutes(app, services);
    changeStrategyRoutes(app, services);
    removeStrategyRoutes(app, services);
    featureEnvironmentRoutes(app, services);
    createFeatureRoutes(app, services);
    cloneRoutes(app, services);
    moveRoutes(app, services);
    bulkRoutes(app, services);
  },
  firstStart: createFeatureTypes,
  hooks: [
    deletingProject.handledBy(removeFeaturesOf),
    cloningEnvironment.handledBy(copyEnvironmentStates),
    removingEnvironment.handledBy(removeEnvironmentStates),
  ],
  lookups: [
    featureSummaries.answeredBy(async (db, { project, viewer }) =>
      listFeatures(db, viewer, project),
    ),
  ],
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
  },
});
