import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { SetStrategy, StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import { givenByDefault, refuseTooMany, wished } from '../../strategies/index.ts';
import { completeVariants, type Variant } from '../index.ts';
import type { Beginning } from './contract.ts';

/** Whether a feature is to be on without a strategy of its own that could say for whom. */
export const needsDefault = ({ enabled = false, strategies = [] }: Beginning): boolean =>
  enabled && strategies.every(({ disabled }) => disabled === true);

/** What a feature is given in an environment. */
export interface Start {
  readonly environment: string;
  readonly enabled: boolean;
  readonly strategies: readonly StrategyShape[];
  /** What switching on adds behind them. */
  readonly byDefault: readonly StrategyShape[];
  readonly variants: Variant[];
}

/** Decides what a beginning comes to, as if each part had been asked for by itself. Touches nothing. */
export function planStart(
  feature: { readonly name: string },
  beginning: Beginning,
  surroundings: {
    readonly defaultStickiness: string;
    /** Of the environment. */
    readonly defaultStrategy: StrategyShape;
  },
): Start {
  const { name: environment, enabled = false, variants = [] } = beginning;
  const { defaultStickiness, defaultStrategy } = surroundings;
  const place = { feature, environment, state: { defaultStickiness } };
  const { placed: strategies, nextPlace } = inPlaces(
    (beginning.strategies ?? []).map((wish) => ({ wish, strategy: wished(wish, place) })),
  );
  const isBare = needsDefault(beginning);
  if (isBare) refuseTooMany({ ...place, state: { strategies: strategies.length } });
  return {
    environment,
    enabled,
    strategies,
    byDefault: isBare
      ? [givenByDefault(defaultStrategy, { ...place, state: { defaultStickiness, nextPlace } })]
      : [],
    variants: completeVariants(variants, defaultStickiness),
  };
}

/** Gives each strategy that asks for no place the one behind all before it. */
function inPlaces(
  wishes: readonly { readonly wish: SetStrategy; readonly strategy: StrategyShape }[],
): { placed: StrategyShape[]; nextPlace: number } {
  let nextPlace = 0;
  const placed = wishes.map(({ wish, strategy }) => {
    const sortOrder = wish.sortOrder === undefined ? nextPlace : strategy.sortOrder;
    nextPlace = Math.min(Math.max(nextPlace, sortOrder + 1), maxInteger);
    return { ...strategy, sortOrder };
  });
  return { placed, nextPlace };
}
