import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import { DependencySchema } from '../feature-schema.ts';

const tag = 'Features';
const permission = 'UPDATE_FEATURE_DEPENDENCY';

const { feature, enabled, variants } = DependencySchema.properties;
export const SetDependencySchema = named(
  'createDependentFeatureSchema',
  Type.Object({
    feature,
    enabled: withDefault(enabled, true),
    variants: withDefault(Type.Array(Type.String(), { ...variants, maxItems: 100 }), []),
  }),
);

export const dependencyContract = {
  addDependency: endpoint({
    method: 'POST',
    path: `${featurePath}/dependencies`,
    id: 'addFeatureDependency',
    tag,
    summary: 'Make a feature depend on another one of its project, or change how it does',
    description:
      'Dependencies are one level deep: a feature that others depend on cannot depend on one itself.',
    permission,
    scope,
    params: featureParams,
    body: SetDependencySchema,
  }),

  removeDependency: endpoint({
    method: 'DELETE',
    path: `${featurePath}/dependencies/:parent`,
    id: 'deleteFeatureDependency',
    tag,
    summary: 'Make a feature independent of another one',
    permission,
    scope,
    params: Type.Object({ ...featureParams.properties, parent: Type.String() }),
  }),

  removeDependencies: endpoint({
    method: 'DELETE',
    path: `${featurePath}/dependencies`,
    id: 'deleteFeatureDependencies',
    tag,
    summary: 'Make a feature independent of all others',
    permission,
    scope,
    params: featureParams,
  }),

  listPossibleParents: endpoint({
    method: 'GET',
    path: `${featurePath}/parents`,
    id: 'listParentOptions',
    tag,
    summary: 'The features that a feature could depend on',
    permission: 'none',
    scope,
    params: featureParams,
    response: named('parentFeatureOptionsSchema', Type.Array(Type.String())),
  }),

  listParentVariants: endpoint({
    method: 'GET',
    path: `${featurePath}/parent-variants`,
    id: 'listParentVariantOptions',
    tag,
    summary: 'The names of the variants that a feature and its strategies have in any environment',
    permission: 'none',
    scope,
    params: featureParams,
    response: named('parentVariantOptionsSchema', Type.Array(Type.String())),
  }),

  hasDependencies: endpoint({
    method: 'GET',
    path: '/api/admin/projects/:projectId/dependencies',
    id: 'checkDependenciesExist',
    tag,
    summary: 'Whether any feature of a project depends on another',
    permission: 'none',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    response: named('dependenciesExistSchema', Type.Boolean()),
  }),
};
