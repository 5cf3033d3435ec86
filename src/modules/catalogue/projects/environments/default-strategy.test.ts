import { describe, expect, test } from 'vitest';
import { strategyFaults } from '../../strategy-types/index.ts';
import {
  completeDefaultStrategy as completeStrategy,
  effectiveStrategy,
} from './default-strategy.ts';

const bare = {
  name: 'flexibleRollout',
  disabled: false,
  sortOrder: 0,
  constraints: [],
  variants: [],
  parameters: {},
  segments: [],
};

describe('a stored strategy', () => {
  test('has every field', () => {
    expect(completeStrategy({ name: 'flexibleRollout' })).toEqual(bare);
  });

  test('keeps numbers and booleans of the parameters as text', () => {
    const parameters = { rollout: 50, sticky: true, groupId: 'g' };
    expect(completeStrategy({ name: 'flexibleRollout', parameters }).parameters).toEqual({
      rollout: '50',
      sticky: 'true',
      groupId: 'g',
    });
  });

  test('keeps nothing that is not known', () => {
    const constraint = { contextName: 'userId', operator: 'IN' as const, extra: 1 };
    const variant = {
      name: 'a',
      weight: 1000,
      weightType: 'fix' as const,
      stickiness: 'default',
      extra: 1,
    };
    const input = {
      name: 'flexibleRollout' as const,
      title: '',
      extra: 1,
      constraints: [constraint],
      variants: [variant],
    };
    const { extra, ...known } = variant;
    expect(completeStrategy(input)).toEqual({
      ...bare,
      constraints: [
        {
          contextName: 'userId',
          operator: 'IN',
          caseInsensitive: false,
          inverted: false,
          values: [],
        },
      ],
      variants: [known],
    });
  });
});

describe('the strategy in effect', () => {
  test('is a full rollout by the stickiness of the project when none was set', () => {
    expect(effectiveStrategy(null, 'userId')).toEqual({
      ...bare,
      parameters: { rollout: '100', stickiness: 'userId', groupId: '' },
    });
  });

  test('is the stored one, with the parameters that it lacks', () => {
    const stored = completeStrategy({
      name: 'flexibleRollout',
      title: 'Half',
      parameters: { rollout: 50 },
    });
    expect(effectiveStrategy(stored, 'random')).toEqual({
      ...bare,
      title: 'Half',
      parameters: { rollout: '50', stickiness: 'random', groupId: '' },
    });
  });
});

describe('what a schema cannot express', () => {
  test.each([0, 100, '0', '07', '100', '50.0'])('a rollout of %j will do', (rollout) => {
    expect(strategyFaults({ parameters: { rollout } })).toEqual([]);
  });

  test.each([-1, 101, '', 'half', '12.5', true])('a rollout of %j is a fault', (rollout) => {
    expect(strategyFaults({ parameters: { rollout } })).toMatchObject([
      { path: '/body/parameters/rollout' },
    ]);
  });

  test('two variants of one name are a fault', () => {
    const variant = {
      name: 'a',
      weight: 500,
      weightType: 'variable' as const,
      stickiness: 'default',
    };
    expect(strategyFaults({ variants: [variant, variant] })).toEqual([
      { path: '/body/variants/1/name', message: "/body/variants/1/name 'a' is used twice" },
    ]);
  });
});
