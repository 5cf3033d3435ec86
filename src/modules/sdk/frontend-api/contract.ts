import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { ClientMetricsSchema, RegistrationSchema } from '../client-metrics/report/contract.ts';
import { ContextQuerySchema, contextSchema } from './context-schema.ts';

const tag = 'Frontend API';

export const FrontendFeatureSchema = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean({ description: 'Always true: disabled features are omitted' }),
  variant: Type.Object({
    name: Type.String({ description: 'disabled: there is no variant' }),
    enabled: Type.Boolean({ description: 'Whether there is a variant' }),
    payload: Type.Optional(Type.Object({ type: Type.String(), value: Type.String() })),
    featureEnabled: Type.Boolean({ description: 'Whether the feature is enabled' }),
    feature_enabled: Type.Boolean({
      deprecated: true,
      description: 'Same value as featureEnabled',
    }),
  }),
  impressionData: Type.Boolean(),
});

const FrontendFeaturesSchema = named(
  'frontendApiFeaturesSchema',
  Type.Object({ toggles: Type.Array(FrontendFeatureSchema) }),
);

const description =
  'Sorted by name. Send the ETag as If-None-Match to get 304 while the result is the same. ' +
  'Unknown fields of the context are properties.';

const audience = ['frontend'] as const;

export const contract = {
  getFrontendFeatures: endpoint({
    method: 'GET',
    path: '/api/frontend',
    id: 'getFrontendFeatures',
    tag,
    summary: 'Evaluate features for the context in the query',
    description: `${description} Properties can also be sent as \`properties[name]=value\`, which takes precedence.`,
    permission: 'none',
    audience,
    query: ContextQuerySchema,
    response: FrontendFeaturesSchema,
    notModified: true,
  }),

  evaluateFrontendFeatures: endpoint({
    method: 'POST',
    path: '/api/frontend',
    id: 'evaluateFrontendFeatures',
    tag,
    summary: 'Evaluate features for the context in the body',
    description,
    permission: 'none',
    audience,
    duringMaintenance: true,
    bodyLimitBytes: 64 * 1024,
    body: withDefault(Type.Object({ context: Type.Optional(contextSchema()) }), {}),
    response: FrontendFeaturesSchema,
    notModified: true,
  }),

  registerFrontendMetrics: endpoint({
    method: 'POST',
    path: '/api/frontend/client/metrics',
    id: 'registerFrontendMetrics',
    tag,
    summary: 'Report feature usage of a frontend application',
    permission: 'none',
    audience,
    duringMaintenance: true,
    // About 1,500 features with variants.
    bodyLimitBytes: 128 * 1024,
    body: ClientMetricsSchema,
  }),

  registerFrontendClient: endpoint({
    method: 'POST',
    path: '/api/frontend/client/register',
    id: 'registerFrontendClient',
    tag,
    summary: 'Register a frontend application',
    permission: 'none',
    audience,
    duringMaintenance: true,
    bodyLimitBytes: 64 * 1024,
    body: named('frontendApiClientSchema', RegistrationSchema),
  }),
};
