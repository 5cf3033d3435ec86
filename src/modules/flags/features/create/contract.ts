import { type Static, Type } from 'typebox';
import { endpoint, withDefault } from '../../../../platform/contract/endpoint.ts';
import { instant, named } from '../../../../platform/contract/schema.ts';
import { SetStrategySchema } from '../../../catalogue/strategy-types/strategy-schema.ts';
import { TagSchema } from '../../../catalogue/tags/contract.ts';
import { PatchedFeatureSchema } from '../contract.ts';
import { FeatureSchema, featureName } from '../feature-schema.ts';
import { maxStrategies } from '../strategies/add/contract.ts';
import { SetVariantsSchema } from '../variants/variant-schema.ts';

const EnvironmentInputSchema = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'An environment of the project, which is named once at most',
  }),
  enabled: Type.Optional(
    withDefault(
      Type.Boolean({
        description:
          'Whether the feature is on there; without an enabled strategy it gets the default strategy of the project',
      }),
      false,
    ),
  ),
  strategies: Type.Optional(
    Type.Array(SetStrategySchema, {
      maxItems: maxStrategies,
      description: 'As if they were added one after the other',
    }),
  ),
  variants: Type.Optional(SetVariantsSchema),
});

/** What a new feature gets in an environment. */
export type EnvironmentInput = Static<typeof EnvironmentInputSchema>;

const { type, description, impressionData, stale } = PatchedFeatureSchema.properties;

export const environmentsPath = '/body/environments';

export const contract = {
  createFeature: endpoint({
    method: 'POST',
    path: '/api/admin/projects/:projectId/features',
    id: 'createFeature',
    conflict: 'the name is taken, by an archived feature too',
    pattern: 'the name breaks the naming pattern of the project',
    tag: 'Features',
    summary: 'Create a feature, with all that it begins with in its environments',
    description:
      'Where nothing else is asked for it is off, without strategies and variants. For what is asked for in an ' +
      'environment you need CREATE_FEATURE_STRATEGY, UPDATE_FEATURE_ENVIRONMENT_VARIANTS or, to switch it on, ' +
      'UPDATE_FEATURE_ENVIRONMENT there. All or nothing; the log tells the same as of single requests.',
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
          description: 'When it was made, where that was earlier, in another place',
        }),
        tags: Type.Optional(Type.Array(TagSchema, { maxItems: 100 })),
        environments: Type.Optional(
          Type.Array(EnvironmentInputSchema, {
            maxItems: 1000,
            description: 'What the feature begins with; it has the other environments, too',
          }),
        ),
      }),
    ),
    response: FeatureSchema,
    status: 201,
    locatedBy: 'name',
  }),
};
