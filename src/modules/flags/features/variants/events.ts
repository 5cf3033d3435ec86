import { defineEvent } from '../../../events/index.ts';
import type { Variant } from './variant-schema.ts';

interface VariantFacts {
  variants: readonly Variant[];
  /** The variants of each environment, if they differed. */
  environments?: Readonly<Record<string, readonly Variant[]>>;
}

export const featureVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-variants-updated',
  summary: ({ user, feature, project }) =>
    `${user} changed the variants of the feature ${feature} in all environments of the project ${project}`,
});

export const featureEnvironmentVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-environment-variants-updated',
  summary: ({ user, feature, project, environment }) =>
    `${user} changed the variants of the feature ${feature} in the environment ${environment} of the project ${project}`,
});
