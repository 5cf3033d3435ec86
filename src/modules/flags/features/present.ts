import type { Feature, FeatureEnvironment, Strategy } from './feature-schema.ts';

// In four operations the specification omits unset properties. In all others they are null, as in the reference:
// clients generated from its document expect them.

export const presentStrategy = (strategy: Strategy): Strategy => ({
  ...strategy,
  title: strategy.title ?? null,
});

export const presentEnvironment = (state: FeatureEnvironment): FeatureEnvironment => ({
  ...state,
  lastSeenAt: state.lastSeenAt ?? null,
  strategies: state.strategies.map(presentStrategy),
});

export const presentFeature = (feature: Feature): Feature => ({
  ...feature,
  archivedAt: feature.archivedAt ?? null,
  lastSeenAt: feature.lastSeenAt ?? null,
  environments: feature.environments.map(presentEnvironment),
});
