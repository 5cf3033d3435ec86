import { expect, test } from 'vitest';
import { fittingPool } from './server.ts';

test.each([
  [10, 100, 10],
  [500, 90, 39],
  [10, 20, 3],
  [10, 5, 2],
])(
  'a pool of %i, where the database has %i connections, gets %i',
  (configured, available, fitting) => {
    expect(fittingPool(configured, available)).toBe(fitting);
  },
);
