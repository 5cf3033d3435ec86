import { expect, test } from 'vitest';
import { movableClock } from '../../test/support/visitor.ts';
import { createRateLimit } from './rate.ts';

test('a rate limit allows the burst at once, and then only attempts at its rate', () => {
  const time = movableClock();
  const { take } = createRateLimit({ burst: 3, perMinute: 6 }, time.clock);
  expect([1, 2, 3, 4].map(() => take('a'))).toEqual([0, 0, 0, 10]);
  expect(take('b')).toBe(0);
  time.pass({ minutes: 0.1 });
  expect(take('a')).toBe(4);
  time.pass({ minutes: 0.1 });
  expect([take('a'), take('a')]).toEqual([0, 8]);
  time.pass({ minutes: 60 });
  expect([1, 2, 3, 4].map(() => take('a'))).toEqual([0, 0, 0, 10]);
});

test('a rejected attempt costs nothing, and a clock set back adds nothing', () => {
  const time = movableClock();
  const { take } = createRateLimit({ burst: 1, perMinute: 1 }, time.clock);
  expect([take('a'), take('a'), take('a')]).toEqual([0, 60, 60]);
  time.pass({ hours: -1 });
  expect(take('a')).toBe(60);
});
