import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { asOf, atMoment, named, yesNo } from '../../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import { FeatureSchema, FeatureSummarySchema } from '../feature-schema.ts';

const tag = 'Features';
const projectParams = Type.Object({ projectId: Type.String() });
const featuresPath = '/api/admin/projects/:projectId/features';

export const readContract = {
  listFeatures: endpoint({
    method: 'GET',
    path: featuresPath,
    id: 'getFeatures',
    largeResponse: true,
    tag,
    summary: 'List the active features of a project',
    permission: 'none',
    scope,
    params: projectParams,
    query: atMoment,
    response: named(
      'projectFeaturesSchema',
      Type.Object({
        version: Type.Integer(),
        features: Type.Array(FeatureSummarySchema),
      }),
    ),
  }),

  getFeature: endpoint({
    method: 'GET',
    path: featurePath,
    id: 'getFeature',
    tag,
    summary: 'Get a feature',
    description:
      'An archived feature returns 404 unless `archived=true` is sent. With `asOf`, the response is the feature as it was then, active or archived, without favorites and last evaluations. Returns 404 if its state at that moment is unknown.',
    permission: 'none',
    scope,
    params: featureParams,
    query: Type.Object({
      archived: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'Whether to include an archived feature',
        }),
        'false',
      ),
      lastEventId: withDefault(
        Type.Unsafe<'true' | 'false'>({
          ...yesNo,
          description: 'Whether to include the ID of its newest event, which …/changes compares',
        }),
        'false',
      ),
      asOf: Type.Optional(asOf),
    }),
    response: FeatureSchema,
  }),

  listFlagCreators: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/flag-creators',
    id: 'getProjectFlagCreators',
    tag,
    summary: 'List everyone who created a feature in the project',
    permission: 'none',
    scope,
    params: projectParams,
    response: named(
      'projectFlagCreatorsSchema',
      Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    ),
  }),
};
