import { Type } from 'typebox';
import { endpoint } from '../../../../platform/contract/endpoint.ts';
import { atMoment, named } from '../../../../platform/contract/schema.ts';
import {
  FeatureNamesSchema,
  featureParams,
  featurePath,
  projectParams,
  projectPath,
  scope,
} from '../address-schema.ts';
import { FeatureSummarySchema } from '../feature-schema.ts';

const tag = 'Features';
const params = Type.Object({ featureName: Type.String() });

const body = named('batchFeaturesSchema', Type.Object({ features: FeatureNamesSchema }));

const archivedList = named(
  'archivedFeaturesSchema',
  Type.Object({
    version: Type.Integer(),
    features: Type.Array(FeatureSummarySchema),
  }),
);

export const archiveContract = {
  archiveFeature: endpoint({
    method: 'DELETE',
    path: featurePath,
    id: 'archiveFeature',
    proposable: true,
    tag,
    summary: 'Archive a feature',
    description: 'Refused while active features depend on it. Its own dependencies are removed.',
    permission: 'DELETE_FEATURE',
    scope,
    params: featureParams,
    status: 202,
  }),

  archiveFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/archive`,
    id: 'archiveFeatures',
    proposable: true,
    tag,
    summary: 'Archive several features, all or nothing',
    description: 'Refused while other active features depend on one of them.',
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
    summary: 'Check whether features can be archived',
    permission: 'DELETE_FEATURE',
    duringMaintenance: true,
    scope,
    params: projectParams,
    body,
    response: named(
      'validateArchiveFeaturesSchema',
      Type.Object({
        parentsWithChildFeatures: Type.Array(Type.String(), {
          description: 'Features on which other active features depend',
        }),
        hasDeletedDependencies: Type.Boolean({
          description:
            'Whether any of them depends on another feature; archiving removes the dependency',
        }),
      }),
    ),
  }),

  reviveFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/revive`,
    id: 'reviveFeatures',
    proposable: true,
    tag,
    summary: 'Revive several archived features, all or nothing',
    permission: 'UPDATE_FEATURE',
    scope,
    params: projectParams,
    body,
  }),

  deleteFeatures: endpoint({
    method: 'POST',
    path: `${projectPath}/delete`,
    id: 'deleteFeatures',
    proposable: true,
    tag,
    summary: 'Delete several archived features permanently, all or nothing',
    permission: 'DELETE_FEATURE',
    scope,
    params: projectParams,
    body,
  }),

  reviveFeature: endpoint({
    method: 'POST',
    path: '/api/admin/archive/revive/:featureName',
    id: 'reviveFeature',
    proposable: true,
    tag,
    summary: 'Revive an archived feature, disabled in every environment',
    permission: 'UPDATE_FEATURE',
    scopeOf: 'featureName',
    params,
  }),

  deleteFeature: endpoint({
    method: 'DELETE',
    path: '/api/admin/archive/:featureName',
    id: 'deleteFeature',
    proposable: true,
    tag,
    summary: 'Delete an archived feature permanently',
    permission: 'DELETE_FEATURE',
    scopeOf: 'featureName',
    params,
  }),

  listArchived: endpoint({
    method: 'GET',
    path: '/api/admin/archive/features',
    id: 'getArchivedFeatures',
    largeResponse: true,
    tag,
    summary: 'List archived features of all projects',
    description:
      'Only projects that you can see. Use the search with `archived=IS:true` instead: it is paged.',
    deprecated: true,
    permission: 'none',
    query: atMoment,
    response: archivedList,
  }),

  listArchivedOf: endpoint({
    method: 'GET',
    path: '/api/admin/archive/features/:projectId',
    id: 'getArchivedFeaturesByProjectId',
    largeResponse: true,
    tag,
    summary: 'List the archived features of a project',
    description:
      'Only projects that you can see. Use the search with `archived=IS:true` instead: it is paged.',
    deprecated: true,
    permission: 'none',
    scope,
    params: projectParams,
    query: atMoment,
    response: archivedList,
  }),
};
