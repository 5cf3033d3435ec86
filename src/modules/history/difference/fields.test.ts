import { expect, test } from 'vitest';
import { fieldChanges } from './fields.ts';

test('changes are listed for single values, and items with an ID are matched by it', () => {
  const before = {
    enabled: false,
    tags: ['a'],
    strategies: [
      { id: 'x', parameters: { rollout: '10' } },
      { id: 'y', title: null },
    ],
  };
  const after = {
    enabled: true,
    tags: ['a', 'b'],
    strategies: [{ id: 'x', parameters: { rollout: '50', stickiness: 'userId' } }],
  };
  expect(fieldChanges(before, after)).toEqual([
    { path: ['enabled'], before: false, after: true },
    { path: ['tags'], before: ['a'], after: ['a', 'b'] },
    { path: ['strategies', 'x', 'parameters', 'rollout'], before: '10', after: '50' },
    { path: ['strategies', 'x', 'parameters', 'stickiness'], after: 'userId' },
    { path: ['strategies', 'y'], before: { id: 'y', title: null } },
  ]);
});
