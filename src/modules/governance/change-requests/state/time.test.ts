import { expect, test } from 'vitest';
import { instantOf, isTimeZone } from './time.ts';

test.each([
  ['2026-11-23T09:00', 'Europe/Oslo', '2026-11-23T08:00:00.000Z'],
  ['2026-07-06T09:00:30', 'Europe/Oslo', '2026-07-06T07:00:30.000Z'],
  ['2026-07-06 09:00', 'America/New_York', '2026-07-06T13:00:00.000Z'],
  // Clocks show it twice.
  ['2026-10-25T02:30', 'Europe/Oslo', '2026-10-25T00:30:00.000Z'],
  // Clocks skip it.
  ['2026-03-29T02:30', 'Europe/Oslo', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T04:00', 'Europe/Oslo', '2026-03-29T02:00:00.000Z'],
  ['2026-11-23T09:00:00+02:00', 'Europe/Oslo', '2026-11-23T07:00:00.000Z'],
  ['2026-11-23T09:00:00.123Z', undefined, '2026-11-23T09:00:00.123Z'],
])('%s in %s is %s', (text, timeZone, instant) => {
  expect(instantOf(text, timeZone)?.toISOString()).toBe(instant);
});

test.each([
  ['2026-11-23T09:00', undefined],
  ['2026-02-30T09:00', 'Europe/Oslo'],
  ['2026-02-28T24:30', 'Europe/Oslo'],
  ['2026-11-23', 'Europe/Oslo'],
  ['tomorrow', 'Europe/Oslo'],
  ['2026-13-23T09:00:00Z', undefined],
  ['2026-02-30T09:00:00Z', undefined],
  ['2026-02-28T24:00:00+01:00', undefined],
])('%s in %s is not a valid time', (text, timeZone) => {
  expect(instantOf(text, timeZone)).toBeUndefined();
});

test('only names from the IANA database are time zones', () => {
  expect(['Europe/Oslo', 'UTC', 'Mars/Base', '+02:00', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
