import { expect, test } from 'vitest';
import { fittingPool } from './server.ts';

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
