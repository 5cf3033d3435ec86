import { defineModule } from '../../../platform/module.ts';
import { deletingGroup } from '../../access/groups/index.ts';
import { deletingUser } from '../../access/users/index.ts';
import { cloningEnvironment } from '../../catalogue/environments/index.ts';
import {
  deletingProject,
  featureSummaries,
  featureTypeCounts,
  removingEnvironment,
} from '../../catalogue/projects/index.ts';
import { archiveUseCase } from './archive/routes.ts';
import { removeFeaturesOf } from './archive/service.ts';
import { bulkUseCase } from './bulk/routes.ts';
import { changeUseCase } from './change/routes.ts';
import { releaseFeatures } from './change/service.ts';
import { changeSetUseCase } from './change-set/routes.ts';
import { cloneUseCase } from './clone/routes.ts';
import { createFeatureUseCase } from './create/routes.ts';
import { dependencyUseCase } from './dependencies/routes.ts';
import { copyEnvironmentStates, removeEnvironmentStates } from './environments/hooks.ts';
import { featureEnvironmentUseCase } from './environments/routes.ts';
import { favoriteUseCase } from './favorites/routes.ts';
import { countFeaturesByType } from './feature-types/queries.ts';
import { featureTypeUseCase } from './feature-types/routes.ts';
import { createFeatureTypes } from './feature-types/service.ts';
import { lifecycleUseCase } from './lifecycle/routes.ts';
import { linkUseCase } from './links/routes.ts';
import { moveUseCase } from './move/routes.ts';
import { updateForgottenCreator } from './queries.ts';
import { readUseCase } from './read/routes.ts';
import { listFeatures } from './read/service.ts';
import { searchUseCase } from './search/routes.ts';
import { addStrategyUseCase } from './strategies/add/routes.ts';
import { changeStrategyUseCase } from './strategies/change/routes.ts';
import { orderStrategyUseCase } from './strategies/order/routes.ts';
import { readStrategyUseCase } from './strategies/read/routes.ts';
import { removeStrategyUseCase } from './strategies/remove/routes.ts';
import { variantUseCase } from './variants/routes.ts';

export {
  archiveFeature,
  deleteFeature,
  deleteFeaturesInBulk,
  reviveFeature,
  reviveFeatures,
} from './archive/service.ts';
export type { Creator, FeatureSpec } from './assemble/feature-spec.ts';
export { addParts, assemble } from './assemble/service.ts';
export { getTargetProject } from './assemble/target-project.ts';
export { proposingChanges } from './bulk/approval.ts';
export type { BulkOutcome } from './bulk/contract.ts';
export { recordReview } from './change/review.ts';
export { changeFeature, changeLockedFeature, markStale } from './change/service.ts';
export {
  faultsOfBody,
  type ReadyChange,
  readChange,
  relocated,
} from './change-set/actions.ts';
export {
  type ChangeAction,
  changeActions,
  type FeatureSetChange,
} from './change-set/contract.ts';
export { saveChanges } from './change-set/service.ts';
export { cloneFeatures, cloningFeatures } from './clone/service.ts';
export { readProjectDefaults } from './create/queries.ts';
export { createFeature, createFeatures, creationOf } from './create/service.ts';
export {
  addDependencies,
  addDependencyOf,
  removeDependency,
  removeParents,
} from './dependencies/service.ts';
export { switchFeatures } from './environments/state.ts';
export { switchOne } from './environments/switch.ts';
export { nameOwners, type ReviewFacts } from './events.ts';
export { importFavorite as importFavoriteFeature } from './favorites/service.ts';
export type { Dependency, Strategy } from './feature-schema.ts';
export { lockFeatureType } from './feature-types/queries.ts';
export { importFeatureType, setLifetime } from './feature-types/service.ts';
export { findDefaultStickiness } from './find-feature.ts';
export { importCreation } from './imported-creation/service.ts';
export { stages } from './lifecycle/contract.ts';
export { completeFeature, enterStage, importStage } from './lifecycle/service.ts';
export { maxFeatures } from './limits.ts';
export { addLink, changeLink, importLinks, removeLink } from './links/service.ts';
export { aboutFeature, type LockedFeature, lockActiveFeature, lockFeatures } from './lock.ts';
export { changeProjectOf } from './move/service.ts';
export type { SetOwner } from './owner/owner-schema.ts';
export { type Owner, type OwnerNames, ownerNamesOfEvent } from './owner/queries.ts';
export { expiresAtFaults, findOwnersNamed, ownerNameKey, showOwner } from './owner/service.ts';
export { type PastFeature, pastFeature } from './read/as-of.ts';
export { type CompleteFeature, readFeatures } from './read/queries.ts';
export { listWholeFeatures } from './read/service.ts';
export { markSeen } from './sightings/service.ts';
export { maxStrategies } from './strategies/add/contract.ts';
export { addStrategy, returnStrategies } from './strategies/add/service.ts';
export { replaceStrategy, restoreStrategy } from './strategies/change/service.ts';
export { inputFaults, strategyFromInput } from './strategies/input.ts';
export { restoreOrder } from './strategies/order/service.ts';
export { listStrategies } from './strategies/read/queries.ts';
export { removeStrategy, withdrawStrategiesIn } from './strategies/remove/service.ts';
export {
  replaceVariants,
  replaceVariantsInBatch,
  restoreEnvironmentVariants,
  setVariantsOf,
} from './variants/service.ts';
export { completeVariants, variantFaults } from './variants/variant.ts';
export type { SetVariants, Variant } from './variants/variant-schema.ts';

import './tables.ts';

export const features = defineModule({
  name: 'features',
  useCases: [
    readUseCase,
    changeUseCase,
    archiveUseCase,
    changeSetUseCase,
    searchUseCase,
    featureTypeUseCase,
    variantUseCase,
    dependencyUseCase,
    linkUseCase,
    lifecycleUseCase,
    favoriteUseCase,
    readStrategyUseCase,
    addStrategyUseCase,
    orderStrategyUseCase,
    changeStrategyUseCase,
    removeStrategyUseCase,
    featureEnvironmentUseCase,
    createFeatureUseCase,
    cloneUseCase,
    moveUseCase,
    bulkUseCase,
  ],
  firstStart: createFeatureTypes,
  hooks: [
    deletingProject.handledBy(removeFeaturesOf),
    cloningEnvironment.handledBy(copyEnvironmentStates),
    removingEnvironment.handledBy(removeEnvironmentStates),
    deletingUser.handledBy((tx, { id }) => releaseFeatures(tx, { type: 'user', id, name: '' })),
    deletingGroup.handledBy((tx, { id, name }) => releaseFeatures(tx, { type: 'group', id, name })),
  ],
  lookups: [
    featureSummaries.answeredBy(async (db, { project, viewer }) =>
      listFeatures(db, viewer, project),
    ),
    featureTypeCounts.answeredBy((db, { project }) => countFeaturesByType(db, project)),
  ],
  forget: async (tx, userId) => {
    await updateForgottenCreator(tx, userId);
    await releaseFeatures(tx, { type: 'user', id: userId, name: '' });
  },
});
