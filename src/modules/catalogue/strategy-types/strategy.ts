import type { Fault } from '../../../platform/errors.ts';
import { volumeFaults } from '../../../platform/volume.ts';
import { completeConstraint, maxConstraintValues } from '../context-fields/index.ts';
import { isPercentage, type SetStrategy, type StrategyShape } from './strategy-schema.ts';
import { settled, weightFaults } from './variant-weights.ts';

/** A strategy as it is kept: every field in place, parameters as text, nothing that is not known. */
export const completeStrategy = (wish: SetStrategy): StrategyShape => ({
  name: wish.name,
  ...(wish.title && { title: wish.title }),
  disabled: wish.disabled ?? false,
  // JSON knows a zero below zero, and it is another one to whoever compares.
  sortOrder: (wish.sortOrder ?? 0) + 0,
  constraints: (wish.constraints ?? []).map(completeConstraint),
  variants: settled(
    (wish.variants ?? []).map(({ name, weight, weightType, stickiness, payload }) => ({
      name,
      weight: weight + 0,
      weightType,
      stickiness,
      ...(payload && { payload: { type: payload.type, value: payload.value } }),
    })),
  ),
  parameters: Object.fromEntries(
    Object.entries(wish.parameters ?? {}).map(([key, value]) => [key, String(value)]),
  ),
  segments: [...new Set(wish.segments ?? [])].sort((a, b) => a - b),
});

/** What the schema cannot say of a strategy. */
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
