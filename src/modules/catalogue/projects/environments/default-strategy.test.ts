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

describe('a stored default strategy', () => {
  test('has every field', () => {
    expect(completeStrategy({ name: 'flexibleRollout' })).toEqual(bare);
  });

  test('stores numbers and booleans in parameters as text', () => {
    const parameters = { rollout: 50, sticky: true, groupId: 'g' };
    expect(completeStrategy({ name: 'flexibleRollout', parameters }).parameters).toEqual({
      rollout: '50',
      sticky: 'true',
      groupId: 'g',
    });
  });

  test('drops unknown properties', () => {
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

describe('the default strategy in effect', () => {
  test('is a full rollout with the stickiness of the project if none is set', () => {
    expect(effectiveStrategy(null, 'userId')).toEqual({
      ...bare,
      parameters: { rollout: '100', stickiness: 'userId', groupId: '' },
    });
  });

  test('is the stored strategy with missing parameters filled in', () => {
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

describe('the validation of a default strategy', () => {
  test.each([0, 100, '0', '07', '100', '50.0'])('accepts a rollout of %j', (rollout) => {
    expect(strategyFaults({ parameters: { rollout } })).toEqual([]);
  });

  test.each([-1, 101, '', 'half', '12.5', true])('rejects a rollout of %j', (rollout) => {
    expect(strategyFaults({ parameters: { rollout } })).toMatchObject([
      { path: '/body/parameters/rollout' },
    ]);
  });

  test('rejects two variants with the same name', () => {
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
