import type { Fault } from '../../../platform/errors.ts';
import { volumeFaults } from '../../../platform/volume.ts';
import { completeConstraint, maxConstraintValues } from '../context-fields/index.ts';
import { isPercentage, type SetStrategy, type StrategyShape } from './strategy-schema.ts';
import { normalizeStoredVariants, normalizeVariants, weightFaults } from './variant-weights.ts';

/** A strategy as stored: every field present, parameters as text, unknown fields dropped. */
export const completeStrategy = (
  input: SetStrategy,
  /** It was stored before, here or in another installation. */
  { isStored = false }: { readonly isStored?: boolean } = {},
): StrategyShape => ({
  name: input.name,
  ...(input.title && { title: input.title }),
  disabled: input.disabled ?? false,
  // Turns -0 into 0: JSON has both, and comparisons would differ.
  sortOrder: (input.sortOrder ?? 0) + 0,
  constraints: (input.constraints ?? []).map(completeConstraint),
  variants: (isStored ? normalizeStoredVariants : normalizeVariants)(
    (input.variants ?? []).map(({ name, weight, weightType, stickiness, payload }) => ({
      name,
      weight: weight + 0,
      weightType,
      stickiness,
      ...(payload && { payload: { type: payload.type, value: payload.value } }),
    })),
  ),
  parameters: Object.fromEntries(
    Object.entries(input.parameters ?? {}).map(([key, value]) => [key, String(value)]),
  ),
  segments: [...new Set(input.segments ?? [])].sort((a, b) => a - b),
});

/** Faults of a strategy that a schema cannot express. */
export function strategyFaults(
  { parameters, constraints, variants }: Partial<SetStrategy>,
  path = '/body',
): Fault[] {
  const faults = volumeFaults({ parameters, constraints, variants }, path);
  const rollout = parameters?.rollout;
  if (rollout !== undefined && !isPercentage(String(rollout))) {
    const at = `${path}/parameters/rollout`;
    faults.push({
      path: at,
      message: `${at} must be a whole number from 0 to 100; you sent '${rollout}'`,
    });
  }
  for (const [index, { values = [] }] of (constraints ?? []).entries()) {
    if (values.length <= maxConstraintValues) continue;
    const at = `${path}/constraints/${index}/values`;
    faults.push({
      path: at,
      message: `${at} must have at most ${maxConstraintValues} items; you sent ${values.length}. A segment can have more`,
    });
  }
  faults.push(...weightFaults(variants ?? [], `${path}/variants`));
  return faults;
}
