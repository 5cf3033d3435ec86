import { changeActions } from '../../flags/features/change-set/contract.ts';

/** What a change request can change, with the names that Unleash uses, and `updateFeature` and `updateTags`. */
export const requestActions = [...changeActions, 'updateSegment', 'deleteSegment'] as const;
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
