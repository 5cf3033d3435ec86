import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../../platform/contract/schema.ts';
import { StrategyVariantSchema } from '../../../catalogue/strategy-types/strategy-schema.ts';

const override = (limit: { maxItems?: number }) =>
  Type.Object({
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    values: Type.Array(Type.String(), limit),
  });

/** A variant of a feature in an environment (section 2.8): as that of a strategy, with overrides. */
export const VariantSchema = named(
  'variantSchema',
  Type.Object({
    ...StrategyVariantSchema.properties,
    overrides: Type.Array(override({})),
  }),
);
export type Variant = Static<typeof VariantSchema>;

export const SetVariantSchema = Type.Object({
  ...StrategyVariantSchema.properties,
  weightType: Type.Optional(StrategyVariantSchema.properties.weightType),
  stickiness: Type.Optional(StrategyVariantSchema.properties.stickiness),
  payload: Type.Optional(
    Type.Object({ type: oneOf(['string', 'json', 'csv', 'number']), value: Type.String() }),
  ),
  overrides: Type.Optional(Type.Array(override({ maxItems: 250 }), { maxItems: 100 })),
});
/** All variants of a feature in an environment, as requests send them. */
export const SetVariantsSchema = named(
  'variantsSchema',
  Type.Array(SetVariantSchema, {
    maxItems: 100,
    description:
      'Variable variants share the weight that fixed variants leave. Variants are stored in the order of their names. Empty: no variants',
  }),
);
export type SetVariants = Static<typeof SetVariantsSchema>;
