import { defineEvent } from '../../events/index.ts';
import type { Strategy } from '../features/index.ts';
import { changesInWords } from './changes.ts';

/** What the log tells of a strategy. */
export interface StrategyFacts extends Omit<Strategy, 'featureName' | 'title'> {
  title: string | null;
}

export const factsOf = (strategy: Strategy): StrategyFacts => ({
  id: strategy.id,
  name: strategy.name,
  title: strategy.title ?? null,
  disabled: strategy.disabled,
  constraints: strategy.constraints,
  parameters: strategy.parameters,
  variants: strategy.variants,
  sortOrder: strategy.sortOrder,
  segments: strategy.segments,
});

export const featureStrategyAdded = defineEvent<StrategyFacts>({
  type: 'feature-strategy-add',
  label: 'Strategy added',
  summary: ({ user, feature, project, environment, data, bold }) =>
    `${user} added the strategy ${bold(data.title ?? data.name)} to ${feature} in the environment ${environment} of the project ${project}`,
});

export const featureStrategyUpdated = defineEvent<StrategyFacts>({
  type: 'feature-strategy-update',
  label: 'Strategy changed',
  summary: ({ user, feature, project, environment, data, preData, bold }) => {
    const changes = changesInWords(
      preData as unknown as StrategyFacts,
      data as unknown as StrategyFacts,
      bold,
    );
    return `${user} changed the strategy ${bold(preData.title ?? preData.name)} of ${feature} in the environment ${environment} of the project ${project}: ${changes.join(', ')}`;
  },
});

export const featureStrategyRemoved = defineEvent<StrategyFacts>({
  type: 'feature-strategy-remove',
  label: 'Strategy removed',
  summary: ({ user, feature, project, environment, preData, bold }) =>
    `${user} removed the strategy ${bold(preData.title ?? preData.name)} from ${feature} in the environment ${environment} of the project ${project}`,
});

export const strategyOrderChanged = defineEvent<{
  strategyIds: readonly string[];
  sortOrders: readonly number[];
}>({
  type: 'strategy-order-changed',
  label: 'Strategies reordered',
  summary: ({ user, feature, project, environment }) =>
    `${user} reordered the strategies of ${feature} in the environment ${environment} of the project ${project}`,
});
