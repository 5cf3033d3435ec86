import { defineEvent } from '../../events/index.ts';
import type { Dependency } from './contract/feature.ts';
import type { FeatureType } from './contract/feature-types.ts';
import type { Variant } from './contract/variant.ts';

interface VariantFacts {
  variants: readonly Variant[];
  /** What each environment had, where they did not all have the same. */
  environments?: Readonly<Record<string, readonly Variant[]>>;
}

export const featureVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-variants-updated',
  label: 'Variants updated everywhere',
  summary: ({ user, feature, project }) =>
    `${user} changed the variants of the feature ${feature} in all environments of the project ${project}`,
});

export const featureEnvironmentVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-environment-variants-updated',
  label: 'Variants updated',
  summary: ({ user, feature, project, environment }) =>
    `${user} changed the variants of the feature ${feature} in the environment ${environment} of the project ${project}`,
});

export const featureTypeUpdated = defineEvent<FeatureType>({
  type: 'feature-type-updated',
  label: 'Feature type updated',
  summary: ({ user, data, bold }) => {
    const lifetime =
      data.lifetimeDays === null ? 'any age' : `an age of ${bold(data.lifetimeDays)} days`;
    return `${user} allows features of the type ${bold(data.name)} ${lifetime}`;
  },
});

interface Completion {
  status: string;
  statusValue?: string;
  kept: boolean;
}

export const featureCompleted = defineEvent<Completion>({
  type: 'feature-completed',
  label: 'Feature completed',
  summary: ({ user, feature, project, data, bold }) => {
    const value =
      data.statusValue === undefined ? '' : ` with the variant ${bold(data.statusValue)}`;
    return `${user} completed the feature ${feature} in the project ${project}: it is ${bold(data.status)}${value}`;
  },
});

export const featureUncompleted = defineEvent<null>({
  type: 'feature-uncompleted',
  label: 'Feature no longer completed',
  summary: ({ user, feature, project }) =>
    `${user} took back the completion of the feature ${feature} in the project ${project}`,
});

export const featureEnvironmentEnabled = defineEvent<null>({
  type: 'feature-environment-enabled',
  label: 'Feature switched on',
  summary: ({ user, feature, project, environment }) =>
    `${user} switched the feature ${feature} on in the environment ${environment} of the project ${project}`,
});

export const featureEnvironmentDisabled = defineEvent<null>({
  type: 'feature-environment-disabled',
  label: 'Feature switched off',
  summary: ({ user, feature, project, environment }) =>
    `${user} switched the feature ${feature} off in the environment ${environment} of the project ${project}`,
});

export const featureFavorited = defineEvent<{ feature: string }>({
  type: 'feature-favorited',
  label: 'Feature marked as a favourite',
  summary: ({ user, feature, project }) =>
    `${user} marked the feature ${feature} in the project ${project} as a favourite`,
});

export const featureUnfavorited = defineEvent<{ feature: string }>({
  type: 'feature-unfavorited',
  label: 'Feature no longer a favourite',
  summary: ({ user, feature, project }) =>
    `${user} no longer has the feature ${feature} in the project ${project} as a favourite`,
});

export const featureDependencyAdded = defineEvent<Dependency>({
  type: 'feature-dependency-added',
  label: 'Dependency added',
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
  label: 'Dependency removed',
  summary: ({ user, feature, project, data, bold }) =>
    `${user} made the feature ${feature} in the project ${project} independent of ${bold(data.feature)}`,
});

export const featureDependenciesRemoved = defineEvent<null>({
  type: 'feature-dependencies-removed',
  label: 'All dependencies removed',
  summary: ({ user, feature, project }) =>
    `${user} made the feature ${feature} in the project ${project} independent of all others`,
});
