import { type Static, Type } from 'typebox';
import { nullable } from '../../../platform/contract/endpoint.ts';
import {
  dictionary,
  maxInteger,
  named,
  nameText,
  oneOf,
  sortOrder,
} from '../../../platform/contract/schema.ts';
import { ConstraintSchema, SetConstraintsSchema } from '../context-fields/constraint-schema.ts';

const title = nameText({
  minLength: 0,
  maxLength: 10_000,
  description: 'Purpose of the strategy',
});
const segmentId = Type.Integer({ minimum: 0, maximum: maxInteger });

/** A variant of a strategy (2.8). Its weight is in thousandths. */
export const StrategyVariantSchema = named(
  'strategyVariantSchema',
  Type.Object({
    name: nameText({ maxLength: 100 }),
    weight: Type.Integer({ minimum: 0, maximum: 1000, description: 'Weight in thousandths' }),
    weightType: oneOf(['variable', 'fix']),
    stickiness: Type.String({ minLength: 1, maxLength: 100 }),
    payload: Type.Optional(
      Type.Object({ type: Type.String({ minLength: 1 }), value: Type.String() }),
    ),
  }),
);
export type StrategyVariant = Static<typeof StrategyVariantSchema>;

/** The fields of every strategy. The name is that of its type. */
export const strategyShape = {
  name: Type.String(),
  title: Type.Optional(nullable(title)),
  disabled: Type.Boolean(),
  sortOrder,
  constraints: Type.Array(ConstraintSchema),
  variants: Type.Array(StrategyVariantSchema),
  parameters: dictionary(
    Type.String(),
    'Parameters as defined by the strategy type; all values are strings',
  ),
  segments: Type.Array(segmentId, { description: 'IDs of segments' }),
};
const StrategyShapeSchema = Type.Object(strategyShape);
export type StrategyShape = Static<typeof StrategyShapeSchema>;

const parameter = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });

/** A strategy as sent in a request: omitted fields have defaults. */
export const setStrategyShape = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Name of the strategy type' }),
  title: Type.Optional(nullable(title)),
  disabled: Type.Optional(Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] })),
  sortOrder: Type.Optional(sortOrder),
  constraints: Type.Optional(SetConstraintsSchema),
  variants: Type.Optional(Type.Array(StrategyVariantSchema, { maxItems: 100 })),
  parameters: Type.Optional(
    dictionary(parameter, 'Numbers and booleans are stored as strings, as SDKs expect them'),
  ),
  segments: Type.Optional(Type.Array(segmentId, { maxItems: 20, description: 'IDs of segments' })),
};
export const SetStrategySchema = named(
  'createFeatureStrategySchema',
  Type.Object(setStrategyShape),
);
export type SetStrategy = Static<typeof SetStrategySchema>;

/** A whole number from 0 to 100, as text. */
export const isPercentage = (text: string): boolean => /^(100|\d{1,2})(\.0+)?$/.test(text);
