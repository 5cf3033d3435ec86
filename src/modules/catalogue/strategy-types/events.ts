import { defineEvent } from '../../events/index.ts';
import type { StrategyType } from './contract.ts';

/** What the log tells of a type of strategies. */
export type StrategyTypeFacts = Omit<StrategyType, 'displayName'>;

export const strategyCreated = defineEvent<StrategyTypeFacts>({
  type: 'strategy-created',
  label: 'Strategy type created',
  summary: ({ user, data, bold }) => `${user} created the strategy type ${bold(data.name)}`,
});

export const strategyUpdated = defineEvent<StrategyTypeFacts>({
  type: 'strategy-updated',
  label: 'Strategy type updated',
  summary: ({ user, data, bold }) => `${user} changed the strategy type ${bold(data.name)}`,
});

export const strategyDeprecated = defineEvent<{ name: string }>({
  type: 'strategy-deprecated',
  label: 'Strategy type deprecated',
  summary: ({ user, data, bold }) => `${user} deprecated the strategy type ${bold(data.name)}`,
});

export const strategyReactivated = defineEvent<{ name: string }>({
  type: 'strategy-reactivated',
  label: 'Strategy type reactivated',
  summary: ({ user, data, bold }) => `${user} reactivated the strategy type ${bold(data.name)}`,
});

/** The name stands in `data`, where clients of the reference product look for it. */
export const strategyDeleted = defineEvent<{ name: string }>({
  type: 'strategy-deleted',
  label: 'Strategy type deleted',
  summary: ({ user, data, bold }) => `${user} deleted the strategy type ${bold(data.name)}`,
});
