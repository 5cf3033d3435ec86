import { changeActions } from '../../../flags/features/change-set/contract.ts';

/** Whole operations that Unleash refuses where changes need approval. */
const compositeActions = [
  'createFeature',
  'cloneFeatures',
  'importFeatures',
  'moveFeature',
  'reviveFeatures',
  'deleteFeatures',
  'updateDefaultStrategy',
  'updateVariants',
  'saveFeatureChanges',
  'revertEvents',
] as const;
export type CompositeAction = (typeof compositeActions)[number];

/** What a change request can change, with the names that Unleash uses, and some of ours. */
export const requestActions = [
  ...changeActions,
  'updateSegment',
  'deleteSegment',
  ...compositeActions,
] as const;
export type RequestAction = (typeof requestActions)[number];

/** Actions that Unleash has for release plans. */
export const releasePlanActions = [
  'addReleasePlan',
  'deleteReleasePlan',
  'startMilestone',
  'updateMilestoneStrategy',
  'changeMilestoneProgression',
  'deleteMilestoneProgression',
  'resumeMilestoneProgression',
  'changeSafeguard',
  'deleteSafeguard',
] as const;
