import { expect, test } from 'vitest';
import { describeReverts } from './reverts.ts';

test.each([
  ['that no event reverts', [], []],
  ['that one event reverts', [[1, 5]], [{ eventId: 1, revertedBy: [5], isReverted: true }]],
  [
    'whose revert was reverted',
    [
      [1, 5],
      [5, 7],
    ],
    [{ eventId: 1, revertedBy: [5], isReverted: false }],
  ],
  [
    'whose revert was reverted, and that was reverted again',
    [
      [1, 5],
      [5, 7],
      [1, 9],
    ],
    [{ eventId: 1, revertedBy: [5, 9], isReverted: true }],
  ],
  [
    'whose revert of a revert was reverted',
    [
      [1, 5],
      [5, 7],
      [7, 9],
    ],
    [{ eventId: 1, revertedBy: [5], isReverted: true }],
  ],
])('the reverts are described correctly for an event %s', (_, pairs, expected) => {
  const reverts = pairs.map(([eventId = 0, by = 0]) => ({ eventId, by }));
  expect(describeReverts([1, 2], reverts)).toEqual(expected);
});
