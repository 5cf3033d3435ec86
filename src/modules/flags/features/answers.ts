import type { Feature, FeatureEnvironment, Strategy } from './feature-schema.ts';

// The specification leaves out what is unset, in four operations. In all others it is null, as the reference has it:
// clients that were generated from its document expect the property.

export const strategyAnswer = (strategy: Strategy): Strategy => ({
  ...strategy,
  title: strategy.title ?? null,
});

export const environmentAnswer = (state: FeatureEnvironment): FeatureEnvironment => ({
  ...state,
  lastSeenAt: state.lastSeenAt ?? null,
  strategies: state.strategies.map(strategyAnswer),
});

export const featureAnswer = (feature: Feature): Feature => ({
  ...feature,
  archivedAt: feature.archivedAt ?? null,
  lastSeenAt: feature.lastSeenAt ?? null,
  environments: feature.environments.map(environmentAnswer),
});
