import { type Static, Type } from 'typebox';
import { endpoint, nullable } from '../../../../platform/contract/endpoint.ts';
import { JsonPatchSchema } from '../../../../platform/contract/json-patch.ts';
import { describing, instant, named } from '../../../../platform/contract/schema.ts';
import {
  FeatureNamesSchema,
  featureParams,
  featurePath,
  projectParams,
  projectPath,
  scope,
} from '../address-schema.ts';
import { FeatureSchema } from '../feature-schema.ts';
import { SetOwnerSchema } from '../owner/owner-schema.ts';

const tag = 'Features';

const description = nullable(describing('Purpose of the feature'));
const type = Type.String({ minLength: 1, maxLength: 100, description: 'ID of a feature type' });
const impressionData = Type.Boolean({ description: 'Whether SDKs emit impression events' });
const stale = Type.Boolean();
const owner = nullable(SetOwnerSchema);
const expiresAt = nullable({
  ...instant,
  description: 'When the feature should be removed; the project status then lists it as expired',
});

const UpdateFeatureSchema = named(
  'updateFeatureSchema',
  Type.Object({
    description: Type.Optional(description),
    type: Type.Optional(type),
    stale: Type.Optional(stale),
    impressionData: Type.Optional(impressionData),
    owner: Type.Optional(owner),
    expiresAt: Type.Optional(expiresAt),
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
  owner: Type.Optional(owner),
  expiresAt: Type.Optional(expiresAt),
});

export type FeaturePatch = Static<typeof JsonPatchSchema>;

export const changeContract = {
  updateFeature: endpoint({
    method: 'PUT',
    path: featurePath,
    id: 'updateFeature',
    proposable: true,
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
    description:
      'The patch can change `description`, `type`, `stale`, `impressionData`, `owner`, and `expiresAt`.',
    permission: 'UPDATE_FEATURE',
    scope,
    params: featureParams,
    body: named('patchesSchema', JsonPatchSchema),
    response: FeatureSchema,
  }),

  markStale: endpoint({
    method: 'POST',
    path: `${projectPath}/stale`,
    id: 'staleFeatures',
    tag,
    summary: 'Mark features as stale or active, all or nothing',
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body: named('batchStaleSchema', Type.Object({ features: FeatureNamesSchema, stale })),
    status: 202,
  }),
};
