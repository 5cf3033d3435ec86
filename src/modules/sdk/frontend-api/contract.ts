import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../platform/contract/endpoint.ts';
import { named } from '../../../platform/contract/schema.ts';
import { ClientMetricsSchema, RegistrationSchema } from '../client-metrics/report/contract.ts';
import { ContextQuerySchema, contextSchema } from './context-schema.ts';

const tag = 'Frontend API';

const FrontendFeaturesSchema = named(
  'frontendApiFeaturesSchema',
  Type.Object({
    toggles: Type.Array(
      Type.Object({
        name: Type.String(),
        enabled: Type.Boolean({ description: 'Always true: those that are off are left out' }),
        variant: Type.Object({
          name: Type.String({ description: 'disabled: there is no variant' }),
          enabled: Type.Boolean({ description: 'Whether there is a variant' }),
          payload: Type.Optional(Type.Object({ type: Type.String(), value: Type.String() })),
          featureEnabled: Type.Boolean({ description: 'Whether the feature is on' }),
          feature_enabled: Type.Boolean({ deprecated: true, description: 'The same' }),
        }),
        impressionData: Type.Boolean(),
      }),
    ),
  }),
);

const description =
  'By name. The ETag stands for the answer: whoever sends it as If-None-Match gets 304 while nothing is decided otherwise. ' +
  'What is no field of the context is a property of it.';

const audience = ['frontend'] as const;

export const contract = {
  getFrontendFeatures: endpoint({
    method: 'GET',
    path: '/api/frontend',
    id: 'getFrontendFeatures',
    tag,
    summary: 'The features that are on for the context in the query',
    description: `${description} A property may be written as \`properties[name]=value\`, too, and goes before one that is not.`,
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
    summary: 'The features that are on for the context in the body',
    description,
    permission: 'none',
    audience,
    duringMaintenance: true,
    body: withDefault(Type.Object({ context: Type.Optional(contextSchema()) }), {}),
    response: FrontendFeaturesSchema,
    notModified: true,
  }),

  registerFrontendMetrics: endpoint({
    method: 'POST',
    path: '/api/frontend/client/metrics',
    id: 'registerFrontendMetrics',
    tag,
    summary: 'How often features were asked for, and what was answered',
    permission: 'none',
    audience,
    duringMaintenance: true,
    body: ClientMetricsSchema,
  }),

  registerFrontendClient: endpoint({
    method: 'POST',
    path: '/api/frontend/client/register',
    id: 'registerFrontendClient',
    tag,
    summary: 'An application says that it is there',
    permission: 'none',
    audience,
    duringMaintenance: true,
    body: named('frontendApiClientSchema', RegistrationSchema),
  }),
};
