import { completeStrategy } from '../../strategy-types/index.ts';
import type { DefaultStrategy, SetDefaultStrategy } from './default-strategy-schema.ts';

/** A default strategy as stored. */
export const completeDefaultStrategy = (
  input: SetDefaultStrategy,
  options: Parameters<typeof completeStrategy>[1] = {},
): DefaultStrategy => ({
  ...completeStrategy(input, options),
  name: input.name,
});

/** The strategy that new features get: the stored one, merged over the built-in one. */
export function effectiveStrategy(
  stored: DefaultStrategy | null,
  defaultStickiness: string,
): DefaultStrategy {
  const strategy = stored ?? completeDefaultStrategy({ name: 'flexibleRollout' });
  const defaults = { rollout: '100', stickiness: defaultStickiness, groupId: '' };
  return { ...strategy, parameters: { ...defaults, ...strategy.parameters } };
}
