import { expect, test } from 'vitest';
import { rolloutWords } from './rollout-words.ts';

const state = {
  type: 'production',
  enabled: true,
  hasStrategies: true,
  enabledStrategyCount: 1,
  rollout: 100,
  targeted: false,
};

test.each([
  ['for everyone', {}, undefined],
  ['for a share of users', { rollout: 25 }, '25%'],
  ['for a share of some users', { rollout: 12.5, targeted: true }, '12.5%'],
  ['for some users', { targeted: true }, 'Targeted'],
  ['by a strategy without a percentage', { rollout: null, targeted: true }, 'Targeted'],
  ['by several strategies', { rollout: null, enabledStrategyCount: 2 }, '2 strategies'],
  ['by several, one of them for everyone', { enabledStrategyCount: 2 }, undefined],
  ['for no one', { rollout: null, enabledStrategyCount: 0 }, '0%'],
  [
    'without strategies',
    { rollout: null, enabledStrategyCount: 0, hasStrategies: false },
    undefined,
  ],
  ['but disabled', { enabled: false, rollout: 25 }, undefined],
  ['never', { enabled: false, hasStrategies: false, enabledStrategyCount: 0 }, 'No strategies'],
  [
    'never, and not in production',
    { type: 'development', enabled: false, hasStrategies: false, enabledStrategyCount: 0 },
    undefined,
  ],
])('the list shows the rollout of a feature enabled %s', (_how, more, text) => {
  expect(rolloutWords({ ...state, ...more })?.text).toBe(text);
});
