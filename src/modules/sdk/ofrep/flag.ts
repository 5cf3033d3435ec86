import type { EvaluatedVariant, Outcome, Reason } from '../evaluation/index.ts';

/** The reasons of OpenFeature. */
const reasons: Readonly<Record<Reason, string>> = {
  off: 'DISABLED',
  unmatched: 'DEFAULT',
  fixed: 'STATIC',
  targeted: 'TARGETING_MATCH',
  split: 'SPLIT',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A payload that does not match its type stays a text. */
function payloadOf({ type, value }: NonNullable<EvaluatedVariant['payload']>): unknown {
  if (type === 'json') return parsed(value);
  if (type !== 'number') return value;
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : value;
}

/**
 * A feature is a boolean, and stays one when it gets variants: their names are returned beside it. Only payloads are
 * values of another type. A feature with payloads is never a boolean: without a variant no value is sent, so the
 * client uses the default in its code.
 */
function shownValue({ evaluation: { enabled, variant }, hasPayloads }: Outcome) {
  const name = variant.enabled ? { variant: variant.name } : {};
  if (!hasPayloads) return { value: enabled, ...name };
  if (!variant.enabled) return {};
  return { value: variant.payload ? payloadOf(variant.payload) : variant.name, ...name };
}

/** The evaluation of a flag, as JSON. */
export function flagText(outcome: Outcome): string {
  const { name, enabled, impressionData, variant } = outcome.evaluation;
  return JSON.stringify({
    key: name,
    ...shownValue(outcome),
    reason: reasons[outcome.reason],
    metadata: {
      enabled,
      impressionData,
      ...(variant.payload && { payloadType: variant.payload.type }),
    },
  });
}
