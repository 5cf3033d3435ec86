import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named, yesNo } from '../../../../platform/contract/schema.ts';
import { featureName, SpecifiedFeatureSchema } from '../feature-schema.ts';

const tag = 'Features';
const scope = 'projectId';
const permission = 'CREATE_FEATURE';
const conflict = 'the name is taken, by an archived feature too';
const pattern = 'the name breaks the naming pattern of the project';

const replaceGroupId = withDefault(
  Type.Boolean({
    description: 'Whether the name of the copy becomes the group id of its strategies',
  }),
  true,
);
const project = Type.Optional(
  Type.String({ description: 'Where it is given, the project of the path' }),
);
const query = Type.Object({
  dryRun: withDefault(
    Type.Unsafe<'true' | 'false'>({
      ...yesNo,
      description: 'With true nothing is made: the answer says what would be',
    }),
    'false',
  ),
});

/** A feature, and what of its original did not come along. */
const ClonedFeatureSchema = named(
  'clonedFeatureSchema',
  Type.Object({
    ...SpecifiedFeatureSchema.properties,
    notCopied: Type.Optional(
      Type.Array(Type.Object({ what: Type.String(), why: Type.String() }), {
        description: 'What of the original could not come along; left out when all did',
      }),
    ),
  }),
);
export type ClonedFeature = Static<typeof ClonedFeatureSchema>;

export const contract = {
  cloneFeature: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features/:featureName/clone',
    id: 'cloneFeature',
    conflict,
    pattern,
    tag,
    summary: 'Copy a feature, from any project that you may read, into this one',
    description:
      'The project of the path receives the copy. It is off everywhere, and has the strategies and variants of ' +
      'its original in the environments that the project has; for each of these you need CREATE_FEATURE_STRATEGY ' +
      'or UPDATE_FEATURE_ENVIRONMENT_VARIANTS there. All or nothing.',
    permission,
    scope,
    params: Type.Object({ projectId: Type.String(), featureName: Type.String() }),
    query,
    body: named('cloneFeatureSchema', Type.Object({ name: featureName, replaceGroupId, project })),
    response: ClonedFeatureSchema,
  }),

  cloneFeatures: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features/clone',
    id: 'cloneFeatures',
    conflict,
    pattern,
    tag,
    summary: 'Copy several features into this project, all or none',
    description:
      'As for one. A feature that depends on another of the list depends, in another project, on the copy of that one.',
    permission,
    scope,
    params: Type.Object({ projectId: Type.String() }),
    query,
    body: Type.Object({
      features: Type.Array(
        Type.Object({
          feature: Type.String({ description: 'The original' }),
          name: featureName,
        }),
        { minItems: 1, maxItems: 500 },
      ),
      replaceGroupId,
      project,
    }),
    response: Type.Object({ features: Type.Array(ClonedFeatureSchema) }),
  }),
};
