import type { Static } from 'typebox';
import type { Fault } from '../../../../platform/errors.ts';
import { volumeFaults } from '../../../../platform/volume.ts';
import { settled, weightFaults } from '../../../catalogue/strategy-types/index.ts';
import type { SetVariantSchema, SetVariants, Variant } from './variant-schema.ts';

type SetVariant = Static<typeof SetVariantSchema>;

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
