import { defineEvent } from '../../../events/index.ts';
import type { Variant } from './variant-schema.ts';

interface VariantFacts {
  variants: readonly Variant[];
  /** The variants of each environment, if they differed. */
  environments?: Readonly<Record<string, readonly Variant[]>>;
}

export const featureVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-variants-updated',
  summary: ({ user, feature }) => `${user} updated the variants of ${feature} in all environments`,
});

export const featureEnvironmentVariantsUpdated = defineEvent<VariantFacts>({
  type: 'feature-environment-variants-updated',
  summary: ({ user, feature, where }) => `${user} updated the variants of ${feature}${where}`,
});
