import { Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named } from '../../../../platform/contract/schema.ts';
import { featureParams, featurePath, scope } from '../address-schema.ts';
import { DependencySchema } from '../feature-schema.ts';

const tag = 'Features';
const permission = 'UPDATE_FEATURE_DEPENDENCY';

const { feature, enabled } = DependencySchema.properties;
export const SetDependencySchema = named(
  'createDependentFeatureSchema',
  Type.Object({
    feature,
    enabled: withDefault(enabled, true),
    variants: withDefault(
      Type.Array(Type.String({ maxLength: 100 }), {
        description: 'Required variants of the parent, any of them; empty: any variant or none',
        maxItems: 100,
      }),
      [],
    ),
  }),
);

export const dependencyContract = {
  addDependency: endpoint({
    method: 'POST',
    path: `${featurePath}/dependencies`,
    id: 'addFeatureDependency',
    proposable: true,
    tag,
    summary: 'Add or update a dependency of a feature',
    description:
      'The parent must be in the same project. Dependencies are one level deep: a feature with children cannot have a parent.',
    permission,
    scope,
    params: featureParams,
    body: SetDependencySchema,
  }),

  removeDependency: endpoint({
    method: 'DELETE',
    path: `${featurePath}/dependencies/:parent`,
    id: 'deleteFeatureDependency',
    proposable: true,
    tag,
    summary: 'Remove a dependency of a feature',
    permission,
    scope,
    params: Type.Object({ ...featureParams.properties, parent: Type.String() }),
  }),

  removeDependencies: endpoint({
    method: 'DELETE',
    path: `${featurePath}/dependencies`,
    id: 'deleteFeatureDependencies',
    proposable: true,
    tag,
    summary: 'Remove all dependencies of a feature',
    permission,
    scope,
    params: featureParams,
  }),

  listPossibleParents: endpoint({
    method: 'GET',
    path: `${featurePath}/parents`,
    id: 'listParentOptions',
    tag,
    summary: 'List possible parents of a feature',
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
    summary: 'List the variant names of a feature in all environments',
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
    summary: 'Check whether a project has any dependencies',
    permission: 'none',
    scope,
    params: Type.Object({ projectId: Type.String() }),
    response: named('dependenciesExistSchema', Type.Boolean()),
  }),
};
