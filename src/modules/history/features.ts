import type { PastFeature } from '../flags/features/index.ts';
import type { Past } from './as-of.ts';
import type { FeatureEnvironmentState } from './states.ts';

const byOrder = (
  a: { readonly sortOrder: number; readonly name: string },
  b: { readonly sortOrder: number; readonly name: string },
): number => a.sortOrder - b.sortOrder || (a.name < b.name ? -1 : 1);

/** The environments of a project, in their order. */
const environmentsOf = (past: Past, project: string) =>
  [...past.partsOf('project-environment', project).keys()]
    .flatMap((name) => past.find('environment', name) ?? [])
    .sort(byOrder);

const inEnvironment = (featureName: string, state: FeatureEnvironmentState | undefined) => ({
  enabled: state?.enabled ?? false,
  variants: [...(state?.variants ?? [])],
  lastSeenAt: null,
  strategies: (state?.strategies ?? []).map((strategy) => ({ ...strategy, featureName })),
});

/** A feature with everything that belonged to it. */
export function featureIn(past: Past, name: string): PastFeature | undefined {
  const feature = past.find('feature', name);
  if (!feature) return undefined;
  const children = past
    .list('feature')
    .filter(({ state }) => state.dependencies.some((parent) => parent.feature === name));
  return {
    ...feature,
    tags: [...feature.tags],
    dependencies: [...feature.dependencies],
    children: children.map(({ key }) => key).sort(),
    environments: environmentsOf(past, feature.project).map((environment) => ({
      name: environment.name,
      type: environment.type,
      sortOrder: environment.sortOrder,
      ...inEnvironment(name, past.find('feature-environment', name, environment.name)),
    })),
  };
}
