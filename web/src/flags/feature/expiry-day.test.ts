import { expect, test } from 'vitest';
import { localDay, startOfDay } from './expiry-day.ts';

test('a day becomes its first instant and back, wherever the user is', () => {
  for (const day of ['2026-03-03', '1999-12-31', '2028-02-29']) {
    expect(localDay(startOfDay(day))).toBe(day);
  }
});
