import { type Static, Type } from 'typebox';
import { endpoint, nullable, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { SetStrategySchema } from '../../../catalogue/strategy-types/strategy-schema.ts';
import { TagSchema } from '../../../catalogue/tags/tag-schema.ts';
import { PatchedFeatureSchema } from '../change/contract.ts';
import { FeatureSchema, featureName } from '../feature-schema.ts';
import { maxStrategies } from '../strategies/add/contract.ts';
import { SetVariantsSchema } from '../variants/variant-schema.ts';

const EnvironmentInputSchema = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An environment of the project; each at most once',
  }),
  enabled: Type.Optional(
    withDefault(
      Type.Boolean({
        description:
          'Whether the feature is enabled there; without an enabled strategy it gets the default strategy of the project',
      }),
      false,
    ),
  ),
  strategies: Type.Optional(
    Type.Array(SetStrategySchema, {
      maxItems: maxStrategies,
      description: 'Added in this order',
    }),
  ),
  variants: Type.Optional(SetVariantsSchema),
});

/** What a new feature gets in an environment. */
export type EnvironmentInput = Static<typeof EnvironmentInputSchema>;

const { type, description, impressionData, stale, owner, expiresAt } =
  PatchedFeatureSchema.properties;

const taken = 'the name is taken, possibly by an archived feature';
const pattern = 'the name does not match the naming pattern of the project';

export const environmentsPath = '/body/environments';

export const contract = {
  createFeature: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features',
    id: 'createFeature',
    proposable: true,
    conflict: taken,
    pattern,
    tag: 'Features',
    summary: 'Create a feature, optionally with its environments',
    description:
      'By default the feature is disabled, has no strategies or variants, and is owned by the user who creates it. Strategies, variants, and enabling in an ' +
      'environment require CREATE_FEATURE_STRATEGY, UPDATE_FEATURE_ENVIRONMENT_VARIANTS, and ' +
      'UPDATE_FEATURE_ENVIRONMENT there. All or nothing; the events are the same as for separate requests.',
    permission: 'CREATE_FEATURE',
    scope: 'projectId',
    params: Type.Object({ projectId: Type.String() }),
    body: named(
      'createFeatureSchema',
      Type.Object({
        name: featureName,
        type: withDefault(type, 'release'),
        description,
        impressionData: withDefault(impressionData, false),
        stale: withDefault(stale, false),
        createdAt: Type.Optional({
          ...instant,
          description:
            'Original creation time, for a feature that was created earlier in another system',
        }),
        owner,
        expiresAt,
        tags: Type.Optional(Type.Array(TagSchema, { maxItems: 100 })),
        environments: Type.Optional(
          Type.Array(EnvironmentInputSchema, {
            maxItems: 1000,
            description:
              'Initial configuration of single environments; the feature also has the other environments of the project',
          }),
        ),
      }),
    ),
    response: FeatureSchema,
    status: 201,
    locatedBy: 'name',
  }),

  validateFeature: endpoint({
    method: 'POST',
    path: '/api/admin/features/validate',
    id: 'validateFeature',
    conflict: taken,
    pattern,
    tag: 'Features',
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
};
