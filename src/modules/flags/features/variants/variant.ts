import type { Static } from 'typebox';
import type { Fault } from '../../../../platform/errors.ts';
import { volumeFaults } from '../../../../platform/volume.ts';
import {
  normalizeStoredVariants,
  normalizeVariants,
  weightFaults,
} from '../../../catalogue/strategy-types/index.ts';
import type { SetVariantSchema, SetVariants, Variant } from './variant-schema.ts';

type SetVariant = Static<typeof SetVariantSchema>;

const withWeightType = <V extends SetVariant>(variant: V) => ({
  ...variant,
  weightType: variant.weightType ?? 'variable',
});

/** Variants as they are stored: with defaults, final weights, and without unknown properties. */
export const completeVariants = (
  input: SetVariants,
  defaultStickiness: string,
  /** They were stored before, perhaps in another installation. */
  { isStored = false }: { readonly isStored?: boolean } = {},
): Variant[] =>
  (isStored ? normalizeStoredVariants : normalizeVariants)(
    input
      .map(withWeightType)
      .map(({ name, weight, weightType, stickiness, payload, overrides }) => ({
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
    return [{ path: at, message: `${at} must be JSON, because of its type` }];
  }
  if (payload?.type === 'number' && !isNumber(payload.value)) {
    return [{ path: at, message: `${at} must be a number, because of its type` }];
  }
  return [];
}

/** Checks that the schema cannot express. */
export const variantFaults = (input: SetVariants, path: string): Fault[] => [
  ...volumeFaults(input, path),
  ...weightFaults(input.map(withWeightType), path),
  ...input.flatMap((variant, index) => payloadFaults(variant, `${path}/${index}`)),
];
