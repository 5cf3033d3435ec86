import { joinOr } from '../../../../platform/joined.ts';
import { defineEvent } from '../../../events/index.ts';
import type { Dependency } from '../feature-schema.ts';

export const featureDependencyAdded = defineEvent<Dependency>({
  type: 'feature-dependency-added',
  summary: ({ user, feature, data, bold }) => {
    const variants = Array.isArray(data.variants) ? data.variants : [];
    const state = data.enabled
      ? variants.length > 0
        ? ` with variant ${joinOr(variants.map(bold))}`
        : ''
      : ' being disabled';
    return `${user} made ${feature} depend on ${bold(data.feature)}${state}`;
  },
});

export const featureDependencyRemoved = defineEvent<{ feature: string }>({
  type: 'feature-dependency-removed',
  summary: ({ user, feature, data, bold }) =>
    `${user} removed the dependency of ${feature} on ${bold(data.feature)}`,
});

export const featureDependenciesRemoved = defineEvent<null>({
  type: 'feature-dependencies-removed',
  summary: ({ user, feature }) => `${user} removed all dependencies of ${feature}`,
});
