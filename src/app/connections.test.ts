import { expect, test } from 'vitest';
import { connectionsWith, fittingPool } from './connections.ts';

test.each([
  [10, 100, 10],
  [500, 90, 39],
  [10, 20, 3],
  [10, 5, 2],
])(
  'a pool of %i with %i available connections is reduced to %i',
  (configured, available, fitting) => {
    expect(fittingPool(configured, available)).toBe(fitting);
  },
);

test.each([
  [10, 31],
  [2, 19],
])('an instance with a pool of %i uses up to %i connections', (poolMax, connections) => {
  expect(connectionsWith(poolMax)).toBe(connections);
});
