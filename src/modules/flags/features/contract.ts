import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../platform/contract/json-patch.ts';
import { describing, named, yesNo } from '../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from './address-schema.ts';
import { FeatureSchema, FeatureSummarySchema, featureName } from './feature-schema.ts';

const tag = 'Features';
const projectParams = Type.Object({ projectId: Type.String() });
const featuresPath = '/api/admin/projects/:projectId/features';
const taken = 'the name is taken, by an archived feature too';
const pattern = 'the name breaks the naming pattern of the project';

const description = nullable(describing('What the feature is for'));
const type = Type.String({ minLength: 1, maxLength: 100, description: 'Id of a feature type' });
const impressionData = Type.Boolean({ description: 'Whether SDKs tell of every evaluation' });
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
          description: 'True archives the feature, for which DELETE_FEATURE is needed',
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
    tag,
    summary: 'The living features of a project, by name',
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
    summary: 'One feature, with all that belongs to it',
    description: 'One that is archived is 404, unless it is asked for with `archived=true`.',
    permission: 'none',
    scope,
    params: featureParams,
    query: Type.Object({
      archived: withDefault(
        Type.Unsafe<'true' | 'false'>({ ...yesNo, description: 'Whether it may be archived' }),
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
    summary: 'Change a feature',
    description: 'What is left out stays as it is.',
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
    summary: 'Change a feature by a JSON Patch',
    description: 'Over `description`, `type`, `stale` and `impressionData`.',
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
    summary: 'Whether a name is well formed, free, and fit for a project where one is named',
    permission: 'none',
    duringMaintenance: true,
    body: named(
      'validateFeatureSchema',
      Type.Object({
        name: featureName,
        projectId: Type.Optional(nullable(Type.String({ description: 'Whose pattern to follow' }))),
      }),
    ),
  }),

  listFlagCreators: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/flag-creators',
    id: 'getProjectFlagCreators',
    tag,
    summary: 'Everybody who created a feature of the project, to choose from',
    permission: 'none',
    scope,
    params: projectParams,
    response: named(
      'projectFlagCreatorsSchema',
      Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    ),
  }),
};
