import { type Static, Type } from 'typebox';
import type { Fault } from '../../../../platform/errors.ts';
import { named, oneOf } from '../../../../platform/http/schema.ts';
import { volumeFaults } from '../../../../platform/volume.ts';
import {
  StrategyVariantSchema,
  settled,
  weightFaults,
} from '../../../catalogue/strategy-types/index.ts';

const override = (limit: { maxItems?: number }) =>
  Type.Object({
    contextName: Type.String({ minLength: 1, maxLength: 100 }),
    values: Type.Array(Type.String(), limit),
  });

/** A variant of a feature in an environment (2.8): that of a strategy, with overrides. */
export const VariantSchema = named(
  'variantSchema',
  Type.Object({
    ...StrategyVariantSchema.properties,
    overrides: Type.Array(override({})),
  }),
);
export type Variant = Static<typeof VariantSchema>;

const SetVariantSchema = Type.Object({
  ...StrategyVariantSchema.properties,
  weightType: Type.Optional(StrategyVariantSchema.properties.weightType),
  stickiness: Type.Optional(StrategyVariantSchema.properties.stickiness),
  payload: Type.Optional(
    Type.Object({ type: oneOf(['string', 'json', 'csv', 'number']), value: Type.String() }),
  ),
  overrides: Type.Optional(Type.Array(override({ maxItems: 250 }), { maxItems: 100 })),
});
type SetVariant = Static<typeof SetVariantSchema>;

/** All variants of a feature in an environment, as they are asked for. */
export const SetVariantsSchema = named(
  'variantsSchema',
  Type.Array(SetVariantSchema, {
    maxItems: 100,
    description:
      'Variable variants share evenly what the fixed ones leave; they are kept in the order of their names. None: there are no variants',
  }),
);
export type SetVariants = Static<typeof SetVariantsSchema>;

const weighted = <V extends SetVariant>(variant: V) => ({
  ...variant,
  weightType: variant.weightType ?? 'variable',
});

/** Variants as they are kept: every field in place, the weights shared out, nothing that is not known. */
export const completeVariants = (wish: SetVariants, defaultStickiness: string): Variant[] =>
  settled(
    wish.map(weighted).map(({ name, weight, weightType, stickiness, payload, overrides }) => ({
      name,
      weight: weight + 0,
      weightType,
      stickiness: stickiness ?? defaultStickiness,
      ...(payload && { payload: { type: payload.type, value: payload.value } }),
      overrides: (overrides ?? []).map(({ contextName, values }) => ({ contextName, values })),
    })),
  );

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

function payloadFaults({ payload }: SetVariant, path: string): Fault[] {
  const at = `${path}/payload/value`;
  if (payload?.type === 'json' && !isJson(payload.value)) {
    return [{ path: at, message: `${at} is not JSON, as its type says` }];
  }
  if (payload?.type === 'number' && !isNumber(payload.value)) {
    return [{ path: at, message: `${at} is not a number, as its type says` }];
  }
  return [];
}

/** What the schema cannot say of variants. */
export const variantFaults = (wish: SetVariants, path: string): Fault[] => [
  ...volumeFaults(wish, path),
  ...weightFaults(wish.map(weighted), path),
  ...wish.flatMap((variant, index) => payloadFaults(variant, `${path}/${index}`)),
];
