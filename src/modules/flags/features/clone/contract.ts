import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { named, yesNo } from '../../../../platform/contract/schema.ts';
import { featureName, SpecifiedFeatureSchema } from '../feature-schema.ts';

const tag = 'Features';
const scope = 'projectId';
const permission = 'CREATE_FEATURE';
const conflict = 'the name is taken, possibly by an archived feature';
const pattern = 'the name does not match the naming pattern of the project';

const replaceGroupId = withDefault(
  Type.Boolean({
    description: 'Whether the strategies of the clone use its name as their group ID',
  }),
  true,
);
const project = Type.Optional(
  Type.String({ description: 'If sent, must be the project in the path' }),
);
const query = Type.Object({
  dryRun: withDefault(
    Type.Unsafe<'true' | 'false'>({
      ...yesNo,
      description: 'If true, nothing is created; the response shows the result',
    }),
    'false',
  ),
});

/** A copy, with everything that could not be copied. */
const ClonedFeatureSchema = named(
  'clonedFeatureSchema',
  Type.Object({
    ...SpecifiedFeatureSchema.properties,
    notCopied: Type.Optional(
      Type.Array(Type.Object({ what: Type.String(), why: Type.String() }), {
        description:
          'Parts of the original that could not be copied; omitted if everything was copied',
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
    proposable: true,
    conflict,
    pattern,
    tag,
    summary: 'Clone a feature into this project',
    description:
      'The original can be in any project that you can read; the path names the target project. The clone is disabled in all environments. It gets the strategies and variants of ' +
      'the original in the environments of the target project, which requires CREATE_FEATURE_STRATEGY ' +
      'or UPDATE_FEATURE_ENVIRONMENT_VARIANTS in each of them. All or nothing.',
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
    proposable: true,
    conflict,
    pattern,
    tag,
    summary: 'Clone several features into this project, all or nothing',
    description:
      'Works as for a single feature. If a feature depends on another feature in the list, and they are cloned into another project, its clone depends on the clone of that feature.',
    permission,
    scope,
    params: Type.Object({ projectId: Type.String() }),
    query,
    body: Type.Object({
      features: Type.Array(
        Type.Object({
          feature: Type.String({ description: 'Name of the original' }),
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
