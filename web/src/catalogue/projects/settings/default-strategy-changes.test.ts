import { expect, test } from 'vitest';
import type { StrategyContent } from '../../../flags/strategy/strategy-sentence.ts';
import { defaultStrategyChanges } from './default-strategy-changes.ts';

const strategy: StrategyContent = {
  name: 'flexibleRollout',
  title: null,
  disabled: true,
  constraints: [],
  variants: [],
  parameters: { rollout: '10', stickiness: 'default', groupId: 'shop' },
  segments: [],
};

test.each([
  [{ disabled: false }, ['development: status disabled → enabled']],
  [{ parameters: { ...strategy.parameters, rollout: '50' } }, ['development: rollout 10% → 50%']],
  [{}, []],
])(
  'the save bar shows old and new values for the change %j of a default strategy',
  (change, words) => {
    const after = { ...strategy, ...change };
    expect(defaultStrategyChanges('development', strategy, after, new Map())).toEqual(words);
  },
);

test('the save bar shows that a default strategy was disabled', () => {
  const enabled = { ...strategy, disabled: false };
  expect(defaultStrategyChanges('development', enabled, strategy, new Map())).toEqual([
    'development: status enabled → disabled',
  ]);
});
