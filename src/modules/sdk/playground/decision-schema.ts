import { Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import { dictionary, oneOf } from '../../../platform/contract/schema.ts';
import { SetConstraintSchema } from '../../catalogue/context-fields/constraint-schema.ts';
import { StrategyVariantSchema } from '../../catalogue/strategy-types/strategy-schema.ts';
import { VariantSchema } from '../../flags/features/variants/variant-schema.ts';

const unknown = "'unknown' depends on a strategy that only the application can evaluate";

/** True, false or 'unknown'. */
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
    Type.String({ description: 'What the context has; left out when it has nothing' }),
  ),
  result: Type.Boolean(),
});

const EvaluatedSegmentSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  constraints: Type.Array(EvaluatedConstraintSchema),
  result: Type.Boolean(),
});

/** How the strategy itself decided, beside its constraints and segments. */
const ConditionSchema = Type.Object({
  kind: oneOf(
    ['everybody', 'users', 'addresses', 'rollout', 'hosts', 'custom'],
    "'hosts' and 'custom' can be evaluated by the application alone",
  ),
  result,
  userIds: Type.Optional(Type.Array(Type.String())),
  userId: Type.Optional(Type.String()),
  addresses: Type.Optional(Type.Array(Type.String())),
  remoteAddress: Type.Optional(Type.String()),
  percentage: Type.Optional(Type.Number()),
  group: Type.Optional(Type.String()),
  stickiness: Type.Optional(Type.String()),
  field: Type.Optional(Type.String({ description: 'The field of the context that decided' })),
  value: Type.Optional(Type.String({ description: 'What stood in it' })),
  bucket: Type.Optional(
    Type.Integer({ description: 'From 1 to 100; the rollout has those up to its percentage' }),
  ),
  byChance: Type.Optional(
    Type.Boolean({ description: 'The next evaluation may come to another bucket' }),
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
  parameters: dictionary(Type.String(), 'As the SDKs get them'),
  constraints: Type.Array(EvaluatedConstraintSchema),
  segments: Type.Array(EvaluatedSegmentSchema),
  condition: ConditionSchema,
  result: Type.Object({
    enabled: result,
    evaluationStatus: oneOf(
      ['complete', 'incomplete', 'unevaluated'],
      "'incomplete': only the application can tell; 'unevaluated': it is disabled",
    ),
    variant: Type.Optional(EvaluatedVariantSchema),
    variants: Type.Optional(Type.Array(StrategyVariantSchema)),
  }),
  explanation: sentence('What came of it, in words'),
  links: Type.Object({ edit: Type.String({ description: 'Where the strategy is edited' }) }),
});

const ParentSchema = Type.Object({
  feature: Type.Optional(
    Type.String({ description: 'Left out when there is none that you may see' }),
  ),
  enabled: Type.Boolean({ description: 'How the parent has to be' }),
  variants: Type.Optional(Type.Array(Type.String(), { description: 'One of them is wanted' })),
  actual: Type.Optional(Type.Object({ enabled: Type.Boolean(), variant: Type.String() })),
  reason: oneOf(['missing', 'has-parents', 'as-wanted', 'other-state', 'other-variant']),
  result,
});

const VariantChoiceSchema = Type.Object({
  strategy: Type.Optional(
    Type.Integer({ description: 'Whose variant it is, from 0; left out for one of the feature' }),
  ),
  stickiness: Type.String(),
  group: Type.String(),
  totalWeight: Type.Integer(),
  override: Type.Optional(Type.Object({ contextName: Type.String(), value: Type.String() })),
  field: Type.Optional(Type.String()),
  value: Type.Optional(Type.String()),
  bucket: Type.Optional(Type.Integer()),
  from: Type.Optional(Type.Integer({ description: 'The first bucket of the variant' })),
  to: Type.Optional(Type.Integer({ description: 'Its last one' })),
  byChance: Type.Boolean(),
});

/** What was decided of a feature, and why. */
export const decisionShape = {
  name: Type.String(),
  projectId: Type.String(),
  isEnabled: Type.Boolean({ description: 'Whether it is on for the context' }),
  isEnabledInCurrentEnvironment: Type.Boolean({ description: 'Whether it is switched on' }),
  hasUnsatisfiedDependency: Type.Boolean(),
  parentDependencies: Type.Array(ParentSchema),
  strategies: Type.Object({ result, data: Type.Array(EvaluatedStrategySchema) }),
  variant: nullable(EvaluatedVariantSchema),
  variants: Type.Array(
    Type.Object({
      ...VariantSchema.properties,
      overrides: Type.Optional(VariantSchema.properties.overrides),
    }),
    { description: 'Those among which the variant was chosen' },
  ),
  variantChoice: Type.Optional(VariantChoiceSchema),
  reason: oneOf(['off', 'parents', 'no-strategies', 'strategy-holds', 'no-strategy-holds']),
  explanation: sentence('Why, in words'),
};

export const DecisionSchema = Type.Object({
  ...decisionShape,
  environment: Type.String(),
  context: dictionary(Type.String(), 'What it was evaluated with, properties beside the rest'),
});
