import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../platform/contract/json-patch.ts';
import { describing, named, yesNo } from '../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from './address-schema.ts';
import { FeatureSchema, FeatureSummarySchema, featureName } from './feature-schema.ts';

const tag = 'Features';
const projectParams = Type.Object({ projectId: Type.String() });
const featuresPath = '/api/admin/projects/:projectId/features';
const taken = 'the name is taken, possibly by an archived feature';
const pattern = 'the name does not match the naming pattern of the project';

const description = nullable(describing('Purpose of the feature'));
const type = Type.String({ minLength: 1, maxLength: 100, description: 'Id of a feature type' });
const impressionData = Type.Boolean({ description: 'Whether SDKs emit impression events' });
const stale = Type.Boolean();

const UpdateFeatureSchema = named(
  'updateFeatureSchema',
  Type.Object({
    description: Type.Optional(description),
    type: Type.Optional(type),
    stale: Type.Optional(stale),
    impressionData: Type.Optional(impressionData),
    archived: Type.Optional(
      nullable(
        Type.Boolean({
          description: 'True archives the feature, which also requires DELETE_FEATURE',
        }),
      ),
    ),
  }),
);
export type FeatureUpdate = Static<typeof UpdateFeatureSchema>;
export type FeatureChange = Omit<FeatureUpdate, 'archived'>;

/** What a patch is applied to, and what its result must be. */
export const PatchedFeatureSchema = Type.Object({
  description: Type.Optional(description),
  type,
  stale,
  impressionData,
});

export type FeaturePatch = Static<typeof JsonPatchSchema>;

export const featureContract = {
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
    description: 'An archived feature returns 404 unless `archived=true` is sent.',
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
          description: 'Whether to include the id of its newest event, which …/changes compares',
        }),
        'false',
      ),
    }),
    response: FeatureSchema,
  }),

  updateFeature: endpoint({
    method: 'PUT',
    path: featurePath,
    id: 'updateFeature',
    tag,
    summary: 'Update a feature',
    description: 'Omitted properties stay unchanged.',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
    body: UpdateFeatureSchema,
    response: FeatureSchema,
  }),

  patchFeature: endpoint({
    method: 'PATCH',
    path: featurePath,
    id: 'patchFeature',
    tag,
    summary: 'Update a feature with a JSON Patch',
    description: 'The patch can change `description`, `type`, `stale` and `impressionData`.',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
    body: named('patchesSchema', JsonPatchSchema),
    response: FeatureSchema,
  }),

  validateFeature: endpoint({
    method: 'POST',
    path: '/api/admin/features/validate',
    id: 'validateFeature',
    conflict: taken,
    pattern,
    tag,
    summary: 'Check whether a feature name is valid and available',
    permission: 'none',
    duringMaintenance: true,
    body: named(
      'validateFeatureSchema',
      Type.Object({
        name: featureName,
        projectId: Type.Optional(
          nullable(Type.String({ description: 'Project whose naming pattern applies' })),
        ),
      }),
    ),
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
