import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named, yesNo } from '../../../../platform/contract/schema.ts';
import { featureEnvironmentParams, featureEnvironmentPath, scope } from '../address-schema.ts';
import { FeatureEnvironmentSchema, FeatureSchema } from '../feature-schema.ts';

const tag = 'Features';

const bulkParams = Type.Object({ projectId: Type.String(), environment: Type.String() });
const bulkRoot = '/api/admin/projects/:projectId/bulk_features/environments/:environment';

const query = Type.Object({
  shouldActivateDisabledStrategies: withDefault(
    Type.Unsafe<'true' | 'false'>({
      ...yesNo,
      description:
        'Whether to enable disabled strategies too, even if the feature is already enabled',
    }),
    'false',
  ),
});
const body = named(
  'bulkToggleFeaturesSchema',
  Type.Object({
    features: Type.Array(Type.String(), { maxItems: 1000, description: 'Names of features' }),
  }),
);
const onDescription =
  'A feature without an enabled strategy gets the default strategy of the project, which also requires CREATE_FEATURE_STRATEGY.';

/** Features in environments: whether they are enabled, and their configuration. */
export const contract = {
  getFeatureEnvironment: endpoint({
    method: 'GET',
    path: featureEnvironmentPath,
    id: 'getFeatureEnvironment',
    tag,
    summary: 'Get a feature in an environment',
    permission: 'none',
    scope,
    params: featureEnvironmentParams,
    query: atMoment,
    response: FeatureEnvironmentSchema,
  }),

  switchFeatureOn: endpoint({
    method: 'POST',
    path: `${featureEnvironmentPath}/on`,
    id: 'toggleFeatureEnvironmentOn',
    proposable: true,
    tag,
    summary: 'Enable a feature in an environment',
    description: onDescription,
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    scope,
    params: featureEnvironmentParams,
    query,
    response: FeatureSchema,
  }),

  switchFeatureOff: endpoint({
    method: 'POST',
    path: `${featureEnvironmentPath}/off`,
    id: 'toggleFeatureEnvironmentOff',
    proposable: true,
    tag,
    summary: 'Disable a feature in an environment',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    scope,
    params: featureEnvironmentParams,
    response: FeatureSchema,
  }),

  switchFeaturesOn: endpoint({
    method: 'POST',
    path: `${bulkRoot}/on`,
    id: 'bulkToggleFeaturesEnvironmentOn',
    proposable: true,
    tag,
    summary: 'Enable several features in an environment, all or nothing',
    description: onDescription,
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    scope,
    params: bulkParams,
    query,
    body,
  }),

  switchFeaturesOff: endpoint({
    method: 'POST',
    path: `${bulkRoot}/off`,
    id: 'bulkToggleFeaturesEnvironmentOff',
    proposable: true,
    tag,
    summary: 'Disable several features in an environment, all or nothing',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    scope,
    params: bulkParams,
    body,
  }),
};
