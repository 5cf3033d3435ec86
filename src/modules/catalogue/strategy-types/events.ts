import { defineEvent } from '../../events/index.ts';
import type { StrategyType } from './contract.ts';

/** A strategy type as events store it. */
export type StrategyTypeEventData = Omit<StrategyType, 'displayName'>;

export const strategyCreated = defineEvent<StrategyTypeEventData>({
  type: 'strategy-created',
  summary: ({ user, data, bold }) => `${user} created strategy type ${bold(data.name)}`,
});

export const strategyUpdated = defineEvent<StrategyTypeEventData>({
  type: 'strategy-updated',
  summary: ({ user, data, bold }) => `${user} updated strategy type ${bold(data.name)}`,
});

export const strategyDeprecated = defineEvent<{ name: string }>({
  type: 'strategy-deprecated',
  summary: ({ user, data, bold }) => `${user} deprecated strategy type ${bold(data.name)}`,
});

export const strategyReactivated = defineEvent<{ name: string }>({
  type: 'strategy-reactivated',
  summary: ({ user, data, bold }) => `${user} reactivated strategy type ${bold(data.name)}`,
});

/** The name is in `data`, where clients of the reference expect it. */
export const strategyDeleted = defineEvent<{ name: string }>({
  type: 'strategy-deleted',
  summary: ({ user, data, bold }) => `${user} deleted strategy type ${bold(data.name)}`,
});
