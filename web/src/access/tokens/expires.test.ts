import { expect, test } from 'vitest';
import { expiresLabel, expiryOf, isExpired } from './expires.ts';

const now = new Date(2026, 10, 18, 12);

test.each([
  ['1', 'In 1 day (Nov 19)'],
  ['30', 'In 30 days (Dec 18)'],
  ['365', 'In 1 year (Nov 18, 2027)'],
  ['never', 'Never'],
])('the option %s is shown as %s', (days, label) => {
  expect(expiresLabel(days, now)).toBe(label);
});

test('a token that never expires has no expiry date, and others expire at theirs', () => {
  expect(expiryOf('never', now)).toBeNull();
  expect(isExpired(null, now)).toBe(false);
  expect(isExpired(now.toISOString(), now)).toBe(true);
  expect(isExpired(expiryOf('1', now), now)).toBe(false);
});
