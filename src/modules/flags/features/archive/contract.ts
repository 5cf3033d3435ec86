import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import { FeatureSummarySchema } from '../feature-schema.ts';

const tag = 'Features';
const projectPath = '/api/admin/projects/:projectId';
const projectParams = Type.Object({ projectId: Type.String() });
const params = Type.Object({ featureName: Type.String() });

const features = Type.Array(Type.String(), {
  maxItems: 1000,
  description: 'Names of features; one that is named twice counts once',
});
const body = named('batchFeaturesSchema', Type.Object({ features }));

const archivedList = named(
  'archivedFeaturesSchema',
  Type.Object({
    version: Type.Integer(),
    features: Type.Array(FeatureSummarySchema),
  }),
);

export const archiveContract = {
  markStale: endpoint({
    method: 'POST',
    path: `${projectPath}/stale`,
    id: 'staleFeatures',
    tag,
    summary: 'Mark several features as stale, or no longer, all or none',
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body: named('batchStaleSchema', Type.Object({ features, stale: Type.Boolean() })),
    status: 202,
  }),

  archiveFeature: endpoint({
    method: 'DELETE',
    path: featurePath,
    id: 'archiveFeature',
    tag,
    summary: 'Archive a feature, with all that belongs to it',
    description: 'Refused while living features depend on it. It no longer depends on others.',
    permission: 'DELETE_FEATURE',
    scope,
    params: featureParams,
    status: 202,
  }),

  archiveFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/archive`,
    id: 'archiveFeatures',
    tag,
    summary: 'Archive several features, all or none',
    description: 'Refused while living features that are not among them depend on one of them.',
    permission: 'DELETE_FEATURE',
    scope,
    params: projectParams,
    body,
    status: 202,
  }),

  validateArchive: endpoint({
    method: 'POST',
    path: `${projectPath}/archive/validate`,
    id: 'validateArchiveFeatures',
    tag,
    summary: 'What would keep several features from being archived, and what would go with them',
    permission: 'DELETE_FEATURE',
    duringMaintenance: true,
    scope,
    params: projectParams,
    body,
    response: named(
      'validateArchiveFeaturesSchema',
      Type.Object({
        parentsWithChildFeatures: Type.Array(Type.String(), {
          description: 'Those on which living features depend that are not among them',
        }),
        hasDeletedDependencies: Type.Boolean({
          description: 'Whether any of them depends on another, which would end',
        }),
      }),
    ),
  }),

  reviveFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/revive`,
    id: 'reviveFeatures',
    tag,
    summary: 'Revive several archived features, all or none',
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body,
  }),

  deleteFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/delete`,
    id: 'deleteFeatures',
    tag,
    summary: 'Delete several archived features for good, all or none',
    permission: 'DELETE_FEATURE',
    scope,
    params: projectParams,
    body,
  }),

  reviveFeature: endpoint({
    method: 'POST',
    path: '/api/admin/archive/revive/:featureName',
    id: 'reviveFeature',
    tag,
    summary: 'Revive an archived feature: as it was, but off in every environment',
    permission: 'UPDATE_FEATURE',
    scopeOf: 'featureName',
    params,
  }),

  deleteFeature: endpoint({
    method: 'DELETE',
    path: '/api/admin/archive/:featureName',
    id: 'deleteFeature',
    tag,
    summary: 'Delete an archived feature for good',
    permission: 'DELETE_FEATURE',
    scopeOf: 'featureName',
    params,
  }),

  listArchived: endpoint({
    method: 'GET',
    path: '/api/admin/archive/features',
    id: 'getArchivedFeatures',
    tag,
    summary: 'The archived features of all projects that you may see, by name',
    description: 'Use the search with `archived=IS:true`: it has pages.',
    deprecated: true,
    permission: 'none',
    response: archivedList,
  }),

  listArchivedOf: endpoint({
    method: 'GET',
    path: '/api/admin/archive/features/:projectId',
    id: 'getArchivedFeaturesByProjectId',
    tag,
    summary: 'The archived features of a project, by name',
    description: 'Use the search with `archived=IS:true`: it has pages.',
    deprecated: true,
    permission: 'none',
    scope,
    params: projectParams,
    response: archivedList,
  }),
};
