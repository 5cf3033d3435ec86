import type { stages } from '../../../src/modules/flags/features/lifecycle/contract.ts';

export type Stage = (typeof stages)[number];

/** The stages of the lifecycle. */
export const stageNames: Readonly<Record<Stage, string>> = {
  initial: 'Initial',
  'pre-live': 'Pre-live',
  live: 'Live',
  completed: 'Completed',
  archived: 'Archived',
};

const typeNames: Readonly<Record<string, string>> = {
  release: 'Release',
  experiment: 'Experiment',
  operational: 'Operational',
  'kill-switch': 'Kill switch',
  permission: 'Permission',
};

/** The name of a feature type. */
export const typeName = (id: string): string => typeNames[id] ?? id;

/** The states of a feature, by the values of the state filter. */
export const stateNames = {
  active: 'Active',
  'potentially-stale': 'Potentially stale',
  stale: 'Stale',
} as const;

export type FeatureState = keyof typeof stateNames;

/** The state of a feature in a list. */
export const stateOf = ({
  stale,
  potentiallyStale,
}: {
  readonly stale: boolean;
  readonly potentiallyStale: boolean;
}): FeatureState => (stale ? 'stale' : potentiallyStale ? 'potentially-stale' : 'active');
