import { completeStrategy } from '../../strategy-types/index.ts';
import type { DefaultStrategy, SetDefaultStrategy } from './default-strategy-schema.ts';

/** A default strategy as it is kept. */
export const completeDefault = (wish: SetDefaultStrategy): DefaultStrategy => ({
  ...completeStrategy(wish),
  name: wish.name,
});

/** What new features really get: the stored strategy, over the one that everybody has. */
export function effectiveStrategy(
  stored: DefaultStrategy | null,
  defaultStickiness: string,
): DefaultStrategy {
  const strategy = stored ?? completeDefault({ name: 'flexibleRollout' });
  const usual = { rollout: '100', stickiness: defaultStickiness, groupId: '' };
  return { ...strategy, parameters: { ...usual, ...strategy.parameters } };
}
