import { Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { dictionary, oneOf } from '../../../platform/contract/schema.ts';
import { SetConstraintSchema } from '../../catalogue/context-fields/constraint-schema.ts';
import { StrategyVariantSchema } from '../../catalogue/strategy-types/strategy-schema.ts';
import { VariantSchema } from '../../flags/features/variants/variant-schema.ts';

const unknown = "'unknown' if it depends on a strategy that only the application can evaluate";

/** True, false, or 'unknown'. */
const result = Type.Unsafe<boolean | 'unknown'>({
  type: ['boolean', 'string'],
  enum: [true, false, 'unknown'],
  description: unknown,
});

const sentence = (description: string) => Type.String({ description });

const EvaluatedConstraintSchema = Type.Object({
  ...SetConstraintSchema.properties,
  caseInsensitive: Type.Boolean(),
  inverted: Type.Boolean(),
  values: Type.Array(Type.String()),
  actual: Type.Optional(
    Type.String({ description: 'Value in the context; omitted if there is none' }),
  ),
  result: Type.Boolean(),
});

const EvaluatedSegmentSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  constraints: Type.Array(EvaluatedConstraintSchema),
  result: Type.Boolean(),
});

/** How the strategy itself evaluated, apart from its constraints and segments. */
const ConditionSchema = Type.Object({
  kind: oneOf(
    ['everybody', 'users', 'addresses', 'rollout', 'hosts', 'custom'],
    "'hosts' and 'custom' can be evaluated only by the application",
  ),
  result,
  userIds: Type.Optional(Type.Array(Type.String())),
  userId: Type.Optional(Type.String()),
  addresses: Type.Optional(Type.Array(Type.String())),
  remoteAddress: Type.Optional(Type.String()),
  percentage: Type.Optional(Type.Number()),
  group: Type.Optional(Type.String()),
  stickiness: Type.Optional(Type.String()),
  field: Type.Optional(Type.String({ description: 'The context field that decided' })),
  value: Type.Optional(Type.String({ description: 'Value of that field' })),
  bucket: Type.Optional(
    Type.Integer({
      description: 'From 1 to 100; the rollout includes the buckets up to its percentage',
    }),
  ),
  byChance: Type.Optional(
    Type.Boolean({ description: 'Whether the next evaluation may give another bucket' }),
  ),
});

const EvaluatedVariantSchema = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  payload: Type.Optional(Type.Object({ type: Type.String(), value: Type.String() })),
  feature_enabled: Type.Optional(Type.Boolean()),
});

const EvaluatedStrategySchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  title: Type.Optional(Type.String()),
  disabled: Type.Boolean(),
  parameters: dictionary(Type.String(), 'Parameters as SDKs get them'),
  constraints: Type.Array(EvaluatedConstraintSchema),
  segments: Type.Array(EvaluatedSegmentSchema),
  condition: ConditionSchema,
  result: Type.Object({
    enabled: result,
    evaluationStatus: oneOf(
      ['complete', 'incomplete', 'unevaluated'],
      "'incomplete': only the application can evaluate it; 'unevaluated': it is disabled",
    ),
    variant: Type.Optional(EvaluatedVariantSchema),
    variants: Type.Optional(Type.Array(StrategyVariantSchema)),
  }),
  explanation: sentence('Readable result'),
  links: Type.Object({ edit: Type.String({ description: 'Link to edit the strategy' }) }),
});

const ParentSchema = Type.Object({
  feature: Type.Optional(Type.String({ description: 'Omitted if there is none that you can see' })),
  enabled: Type.Boolean({ description: 'Required state of the parent' }),
  variants: Type.Optional(
    Type.Array(Type.String(), { description: 'Any of these variants is required' }),
  ),
  actual: Type.Optional(Type.Object({ enabled: Type.Boolean(), variant: Type.String() })),
  reason: oneOf(['missing', 'has-parents', 'as-wanted', 'other-state', 'other-variant']),
  result,
});

const VariantChoiceSchema = Type.Object({
  strategy: Type.Optional(
    Type.Integer({
      description:
        'Index of the strategy that has the variant, from 0; omitted for a variant of the feature',
    }),
  ),
  stickiness: Type.String(),
  group: Type.String(),
  totalWeight: Type.Integer(),
  override: Type.Optional(Type.Object({ contextName: Type.String(), value: Type.String() })),
  field: Type.Optional(Type.String()),
  value: Type.Optional(Type.String()),
  bucket: Type.Optional(Type.Integer()),
  from: Type.Optional(Type.Integer({ description: 'First bucket of the variant' })),
  to: Type.Optional(Type.Integer({ description: 'Last bucket of the variant' })),
  byChance: Type.Boolean(),
});

/** The decision for a feature, and its explanation. */
export const decisionShape = {
  name: Type.String(),
  projectId: Type.String(),
  isEnabled: Type.Boolean({ description: 'Whether it is enabled for the context' }),
  isEnabledInCurrentEnvironment: Type.Boolean({
    description: 'Whether it is enabled in the environment',
  }),
  hasUnsatisfiedDependency: Type.Boolean(),
  parentDependencies: Type.Array(ParentSchema),
  strategies: Type.Object({ result, data: Type.Array(EvaluatedStrategySchema) }),
  variant: nullable(EvaluatedVariantSchema),
  variants: Type.Array(
    Type.Object({
      ...VariantSchema.properties,
      overrides: Type.Optional(VariantSchema.properties.overrides),
    }),
    { description: 'Variants to choose from' },
  ),
  variantChoice: Type.Optional(VariantChoiceSchema),
  reason: oneOf(['off', 'parents', 'no-strategies', 'strategy-holds', 'no-strategy-holds']),
  explanation: sentence('Readable reason'),
  changedBy: Type.Optional(
    Type.Object(
      {
        id: Type.Integer(),
        type: Type.String(),
        summary: sentence('What was done, as in the event log'),
        createdAt: Type.String({ format: 'date-time' }),
      },
      {
        description:
          'With `asOf`: the last event up to that moment that changed the feature in the environment, its parents, or segments of these. Omitted if the history does not have it, or you cannot see it',
      },
    ),
  ),
};

export const DecisionSchema = Type.Object({
  ...decisionShape,
  environment: Type.String(),
  context: dictionary(Type.String(), 'The evaluated context, with properties at the top level'),
});
