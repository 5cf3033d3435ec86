import { expect, test } from 'vitest';
import { isBy, momentIn } from './moment.ts';

test('a moment is the ID of an event, or a date and time with a zone', () => {
  expect(momentIn(17)).toBe(17);
  expect(momentIn('17')).toBe(17);
  expect(momentIn('2026-11-17T14:03:00Z')).toBe('2026-11-17T14:03:00Z');
  for (const wrong of [undefined, '', 'now', -1, 1.5, '2026-11-17', '2026-11-17T14:03', {}]) {
    expect(momentIn(wrong)).toBeUndefined();
  }
});

test('the state at a moment includes an event if the moment is at or after its ID or time', () => {
  const event = { id: 5, createdAt: '2026-11-17T14:03:00.000Z' };
  expect([4, 5, 6].map((id) => isBy(String(id), event))).toEqual([false, true, true]);
  expect(isBy('2026-11-17T14:02:59Z', event)).toBe(false);
  expect(isBy('2026-11-17T15:03:00+01:00', event)).toBe(true);
});
