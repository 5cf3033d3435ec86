import { defineModule } from '../../../platform/module.ts';
import { deletingProject } from '../../catalogue/projects/index.ts';
import { coreContract, coreRoutes } from './core.ts';
import { partContract, partRoutes } from './parts.ts';
import { updateForgottenCreator } from './queries/feature.ts';
import { removeFeaturesOf } from './service/archive.ts';
import { createFeatureTypes } from './service/feature-types.ts';

export { environmentAnswer, featureAnswer, strategyAnswer } from './answers.ts';
export { CreateFeatureSchema } from './contract/core.ts';
export {
  type Dependency,
  DependencySchema,
  type Feature,
  FeatureEnvironmentSchema,
  FeatureSchema,
  FeatureSummarySchema,
  featureName,
  SpecifiedFeatureSchema,
  type Strategy,
  StrategySchema,
} from './contract/feature.ts';
export { stages } from './contract/lifecycle.ts';
export {
  completeVariants,
  SetVariantsSchema,
  type Variant,
  VariantSchema,
  variantFaults,
} from './contract/variant.ts';
export type { ReviewFacts } from './events.ts';
export { listFeatureNames } from './queries/list.ts';
export { type LockedFeature, lockFeatures } from './queries/lock.ts';
export { deleteEnvironmentState } from './queries/reorganisation.ts';
export { archiveFeature } from './service/archive.ts';
export { changeLockedFeature, markStale } from './service/change.ts';
export {
  createFeature,
  createFeatures,
  createInReceiver,
  creationFaults,
  getReceiver,
  maxFeatures,
  type NewFeature,
  refuseCreation,
} from './service/create.ts';
export { addDependencies, addDependency } from './service/dependencies.ts';
export { getEnvironmentState, recordSwitch, switchFeatures } from './service/environment-state.ts';
export { completeFeature, enterStage } from './service/lifecycle.ts';
export { getFeaturesInBulk, getLivingFeature, placeOf } from './service/locked.ts';
export { moveFeature } from './service/move.ts';
export { describeNewFeature, getFeature, listFeatures } from './service/read.ts';
export { recordReview } from './service/review.ts';
export { markSeen } from './service/sightings.ts';
export {
  recordVariants,
  replaceVariantsInBatch,
  setVariants,
  setVariantsOf,
} from './service/variants.ts';

import './tables.ts';

export const features = defineModule({
  name: 'features',
  contract: { ...coreContract, ...partContract },
  routes: (app, services) => {
    coreRoutes(app, services);
    partRoutes(app, services);
  },
  firstStart: createFeatureTypes,
  hooks: [deletingProject.handledBy(removeFeaturesOf)],
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
  },
});
