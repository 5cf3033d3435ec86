import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../../platform/contract/json-patch.ts';
import { atMoment, named } from '../../../../platform/contract/schema.ts';
import {
  featureEnvironmentParams,
  featureEnvironmentPath,
  featureParams,
  featurePath,
  scope,
} from '../address-schema.ts';
import { SetVariantsSchema, VariantSchema } from './variant-schema.ts';

const tag = 'Features';

export const variantPermission = 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS';
/** The deprecated operations take either permission, in every environment of the project. */
export const anyVariantPermission = ['UPDATE_FEATURE_VARIANTS', variantPermission] as const;

const response = named(
  'featureVariantsSchema',
  Type.Object({ version: Type.Integer(), variants: Type.Array(VariantSchema) }),
);

const patchDescription =
  'The patch is applied to the stored variants; afterwards the weights are redistributed.';

export const variantContract = {
  getEnvironmentVariants: endpoint({
    method: 'GET',
    path: `${featureEnvironmentPath}/variants`,
    id: 'getEnvironmentFeatureVariants',
    tag,
    summary: 'List the variants of a feature in an environment',
    permission: 'none',
    scope,
    params: featureEnvironmentParams,
    query: atMoment,
    response,
  }),

  replaceEnvironmentVariants: endpoint({
    method: 'PUT',
    path: `${featureEnvironmentPath}/variants`,
    id: 'overwriteEnvironmentFeatureVariants',
    proposable: true,
    tag,
    summary: 'Replace the variants of a feature in an environment',
    permission: variantPermission,
    scope,
    params: featureEnvironmentParams,
    body: SetVariantsSchema,
    response,
  }),

  patchEnvironmentVariants: endpoint({
    method: 'PATCH',
    path: `${featureEnvironmentPath}/variants`,
    id: 'patchEnvironmentsFeatureVariants',
    proposable: true,
    tag,
    summary: 'Update the variants of a feature in an environment with a JSON Patch',
    description: patchDescription,
    permission: variantPermission,
    scope,
    params: featureEnvironmentParams,
    body: named('patchesSchema', JsonPatchSchema),
    response,
  }),

  replaceVariantsInBatch: endpoint({
    method: 'PUT',
    path: `${featurePath}/variants-batch`,
    id: 'overwriteFeatureVariantsOnEnvironments',
    proposable: true,
    tag,
    summary: 'Set the same variants of a feature in several environments',
    permission: variantPermission,
    demandedByService: true,
    scope,
    params: featureParams,
    body: named(
      'pushVariantsSchema',
      Type.Object({
        variants: SetVariantsSchema,
        environments: Type.Array(Type.String(), { minItems: 1, maxItems: 1000, uniqueItems: true }),
      }),
    ),
    response,
  }),

  getVariants: endpoint({
    method: 'GET',
    path: `${featurePath}/variants`,
    id: 'getFeatureVariants',
    tag,
    summary: 'List the variants in the last environment that has any',
    deprecated: true,
    permission: 'none',
    scope,
    params: featureParams,
    query: atMoment,
    response,
  }),

  replaceVariants: endpoint({
    method: 'PUT',
    path: `${featurePath}/variants`,
    id: 'overwriteFeatureVariants',
    proposable: true,
    tag,
    summary: 'Replace the variants of a feature in all environments',
    deprecated: true,
    permission: anyVariantPermission,
    demandedByService: true,
    scope,
    params: featureParams,
    body: SetVariantsSchema,
    response,
  }),

  patchVariants: endpoint({
    method: 'PATCH',
    path: `${featurePath}/variants`,
    id: 'patchFeatureVariants',
    proposable: true,
    tag,
    summary: 'Update the variants in all environments with a JSON Patch',
    description: patchDescription,
    deprecated: true,
    permission: anyVariantPermission,
    demandedByService: true,
    scope,
    params: featureParams,
    body: named('patchesSchema', JsonPatchSchema),
    response,
  }),
};
