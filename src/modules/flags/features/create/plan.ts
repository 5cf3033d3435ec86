import { maxInteger } from '../../../../platform/contract/schema.ts';
import type { SetStrategy, StrategyShape } from '../../../catalogue/strategy-types/index.ts';
import type { FeaturePart } from '../assemble/feature-spec.ts';
import { refuseTooMany } from '../strategies/add/service.ts';
import { defaultStrategyFor } from '../strategies/default-strategy/service.ts';
import { strategyFromInput } from '../strategies/input.ts';
import { completeVariants } from '../variants/variant.ts';
import type { EnvironmentInput } from './contract.ts';

/** Whether a feature is to be enabled without an enabled strategy of its own. */
export const needsDefaultStrategy = ({
  enabled = false,
  strategies = [],
}: EnvironmentInput): boolean => enabled && strategies.every(({ disabled }) => disabled === true);

/** Plans the parts of a feature in an environment, as if a separate request had added each. Pure. */
export function planEnvironment(
  feature: { readonly name: string },
  input: EnvironmentInput,
  project: {
    readonly defaultStickiness: string;
    /** Of the environment. */
    readonly defaultStrategy: StrategyShape;
  },
): FeaturePart[] {
  const { name: environment, enabled = false } = input;
  const { defaultStickiness, defaultStrategy } = project;
  const { strategies, nextSortOrder } = inOrder(
    (input.strategies ?? []).map((strategy) => ({
      input: strategy,
      strategy: strategyFromInput(strategy, { feature, state: { defaultStickiness } }),
    })),
  );
  const variants = completeVariants(input.variants ?? [], defaultStickiness);
  const owner = {
    feature,
    environment,
    state: { defaultStickiness, nextSortOrder, strategies: strategies.length },
  };
  const isDefaultNeeded = needsDefaultStrategy(input);
  if (isDefaultNeeded) refuseTooMany(owner);
  return [
    ...strategies.map((strategy) => ({ environment, strategy })),
    ...(variants.length > 0 ? [{ environment, variants }] : []),
    ...(isDefaultNeeded
      ? [{ environment, strategy: defaultStrategyFor(defaultStrategy, owner) }]
      : []),
    ...(enabled ? [{ environment, enabled }] : []),
  ];
}

/** A strategy without a sort order is sorted after all earlier ones. */
function inOrder(
  inputs: readonly { readonly input: SetStrategy; readonly strategy: StrategyShape }[],
): { strategies: StrategyShape[]; nextSortOrder: number } {
  let nextSortOrder = 0;
  const strategies = inputs.map(({ input, strategy }) => {
    const sortOrder = input.sortOrder === undefined ? nextSortOrder : strategy.sortOrder;
    nextSortOrder = Math.min(Math.max(nextSortOrder, sortOrder + 1), maxInteger);
    return { ...strategy, sortOrder };
  });
  return { strategies, nextSortOrder };
}
