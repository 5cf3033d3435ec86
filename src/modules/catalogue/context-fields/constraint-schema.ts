import { type Static, Type } from 'typebox';
import { named, oneOf } from '../../../platform/contract/schema.ts';

/** The operators that SDKs support. */
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
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'IN_CIDR',
] as const;
export type Operator = (typeof operators)[number];

/** What an operator compares with: the items of `values`, or the single `value` of this type. */
export const operands = {
  IN: 'list',
  NOT_IN: 'list',
  STR_CONTAINS: 'parts',
  STR_STARTS_WITH: 'parts',
  STR_ENDS_WITH: 'parts',
  NUM_EQ: 'number',
  NUM_GT: 'number',
  NUM_GTE: 'number',
  NUM_LT: 'number',
  NUM_LTE: 'number',
  DATE_AFTER: 'date',
  DATE_BEFORE: 'date',
  SEMVER_EQ: 'version',
  SEMVER_GT: 'version',
  SEMVER_GTE: 'version',
  SEMVER_LT: 'version',
  SEMVER_LTE: 'version',
  REGEX: 'pattern',
  IN_CIDR: 'networks',
} as const satisfies Record<Operator, string>;

const takesValues = (operator: Operator): boolean =>
  ['list', 'parts', 'networks'].includes(operands[operator]);

/** Limits: constraints of a strategy or segment, and values of one constraint of a strategy. */
export const maxConstraints = 30;
export const maxConstraintValues = 250;
/**
 * Values of all constraints of a segment together, in any distribution. Segments are made for long lists of users and
 * tenants.
 */
export const maxSegmentValues = maxConstraints * maxConstraintValues;

/** A constraint on a context field, as sent in a request. */
export const SetConstraintSchema = named(
  'constraintSchema',
  Type.Object({
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    operator: oneOf(operators),
    caseInsensitive: Type.Optional(Type.Boolean()),
    inverted: Type.Optional(Type.Boolean()),
    values: Type.Optional(Type.Array(Type.String(), { maxItems: maxSegmentValues })),
    value: Type.Optional(
      Type.String({ description: 'For operators that compare with a single value' }),
    ),
  }),
);
export type SetConstraint = Static<typeof SetConstraintSchema>;

export const SetConstraintsSchema = Type.Array(SetConstraintSchema, { maxItems: maxConstraints });

/** As returned (2.8): every field is present except, sometimes, `value`. */
export type Constraint = Required<Omit<SetConstraint, 'value'>> & Pick<SetConstraint, 'value'>;
export const ConstraintSchema = Type.Unsafe<Constraint>(SetConstraintSchema);

/**
 * A constraint as stored: every field present, unknown ones dropped. Forms send an empty `value` beside a list of
 * values; it has no meaning and is left out.
 */
export const completeConstraint = (input: SetConstraint): Constraint => ({
  contextName: input.contextName,
  operator: input.operator,
  caseInsensitive: input.caseInsensitive ?? false,
  inverted: input.inverted ?? false,
  values: input.values ?? [],
  ...(input.value !== undefined &&
    !(input.value === '' && takesValues(input.operator)) && { value: input.value }),
});
