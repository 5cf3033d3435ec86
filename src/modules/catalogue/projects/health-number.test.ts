import { expect, test } from 'vitest';
import { healthOf } from './feature-counts.ts';

test.each([
  [0, 0, 100],
  [1, 0, 100],
  [1, 1, 0],
  [3, 1, 67],
  [3, 2, 33],
  [8, 1, 88],
  [28, 20, 29],
  [1_000, 4, 100],
  [1_000, 5, 100],
  [1_000, 6, 99],
  [1_000, 999, 0],
])(
  'the health of %i features with %i stale or potentially stale ones is %i',
  (features, staleOrDue, health) => {
    expect(healthOf(features, staleOrDue)).toBe(health);
  },
);
