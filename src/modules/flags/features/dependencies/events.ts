import { defineEvent } from '../../../events/index.ts';
import type { Dependency } from '../feature-schema.ts';

export const featureDependencyAdded = defineEvent<Dependency>({
  type: 'feature-dependency-added',
  summary: ({ user, feature, project, data, bold }) => {
    const variants = Array.isArray(data.variants) ? data.variants : [];
    const state = data.enabled
      ? variants.length > 0
        ? ` with one of the variants ${variants.map(bold).join(', ')}`
        : ''
      : ' being off';
    return `${user} made the feature ${feature} in the project ${project} depend on ${bold(data.feature)}${state}`;
  },
});

export const featureDependencyRemoved = defineEvent<{ feature: string }>({
  type: 'feature-dependency-removed',
  summary: ({ user, feature, project, data, bold }) =>
    `${user} made the feature ${feature} in the project ${project} independent of ${bold(data.feature)}`,
});

export const featureDependenciesRemoved = defineEvent<null>({
  type: 'feature-dependencies-removed',
  summary: ({ user, feature, project }) =>
    `${user} made the feature ${feature} in the project ${project} independent of all others`,
});
