import { type Static, type TSchema, Type } from 'typebox';
import type { Fault } from '../../../platform/errors.ts';

/** The operators that the SDKs know. */
const operators = [
  'IN',
  'NOT_IN',
  'STR_CONTAINS',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_LT',
] as const;

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values] });

/** `Type.Record` would lose keys with a line break: its pattern's dot does not match one. */
const dictionary = <S extends TSchema>(values: S, description: string) =>
  Type.Unsafe<Record<string, Static<S>>>({
    type: 'object',
    additionalProperties: values,
    description,
  });

const maxInteger = 2_147_483_647;
const name = oneOf(['flexibleRollout']);
const title = Type.String({ maxLength: 100, description: 'What the strategy is for' });
const sortOrder = Type.Integer({ minimum: 0, maximum: maxInteger });
const segmentId = Type.Integer({ minimum: 0, maximum: maxInteger });

const StrategyVariantSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  weight: Type.Integer({ minimum: 0, maximum: 1000, description: 'Share in thousandths' }),
  weightType: oneOf(['variable', 'fix']),
  stickiness: Type.String({ minLength: 1, maxLength: 100 }),
  payload: Type.Optional(
    Type.Object({ type: Type.String({ minLength: 1 }), value: Type.String() }),
  ),
});

const constraint = {
  contextName: Type.String({ minLength: 1, maxLength: 100 }),
  operator: oneOf(operators),
};
const value = Type.Optional(Type.String({ description: 'For operators that compare with one' }));

const ConstraintSchema = Type.Object({
  ...constraint,
  caseInsensitive: Type.Boolean(),
  inverted: Type.Boolean(),
  values: Type.Array(Type.String()),
  value,
});

/** The strategy that new features of a project get in an environment. */
export const DefaultStrategySchema = Type.Object({
  name,
  title: Type.Optional(title),
  disabled: Type.Boolean(),
  sortOrder,
  constraints: Type.Array(ConstraintSchema),
  variants: Type.Array(StrategyVariantSchema),
  parameters: dictionary(Type.String(), 'rollout, stickiness and groupId, as text'),
  segments: Type.Array(segmentId, { description: 'Ids of segments' }),
});
export type DefaultStrategy = Static<typeof DefaultStrategySchema>;

const parameter = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] });

export const SetDefaultStrategySchema = Type.Object({
  name,
  title: Type.Optional(title),
  disabled: Type.Optional(Type.Boolean()),
  sortOrder: Type.Optional(sortOrder),
  constraints: Type.Optional(
    Type.Array(
      Type.Object({
        ...constraint,
        caseInsensitive: Type.Optional(Type.Boolean()),
        inverted: Type.Optional(Type.Boolean()),
        values: Type.Optional(Type.Array(Type.String(), { maxItems: 250 })),
        value,
      }),
      { maxItems: 30 },
    ),
  ),
  variants: Type.Optional(Type.Array(StrategyVariantSchema, { maxItems: 100 })),
  parameters: Type.Optional(
    dictionary(parameter, 'Numbers and booleans are stored as text, as the SDKs expect them'),
  ),
  segments: Type.Optional(Type.Array(segmentId, { maxItems: 20, description: 'Ids of segments' })),
});
export type SetDefaultStrategy = Static<typeof SetDefaultStrategySchema>;

/** What the schema cannot say of a strategy. */
export function strategyFaults({ parameters, variants }: Partial<SetDefaultStrategy>): Fault[] {
  const faults: Fault[] = [];
  const rollout = parameters?.rollout;
  if (rollout !== undefined && !/^(100|\d{1,2})(\.0+)?$/.test(String(rollout))) {
    faults.push({
      path: '/body/parameters/rollout',
      message: `/body/parameters/rollout must be a whole number from 0 to 100; you sent '${rollout}'`,
    });
  }
  const names = new Set<string>();
  for (const [index, variant] of (variants ?? []).entries()) {
    const path = `/body/variants/${index}/name`;
    if (names.has(variant.name)) {
      faults.push({ path, message: `${path} '${variant.name}' is used twice` });
    }
    names.add(variant.name);
  }
  return faults;
}
