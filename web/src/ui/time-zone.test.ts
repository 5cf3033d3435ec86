import { afterEach, expect, test } from 'vitest';
import { readMoment } from '../events/query/moment.ts';
import { dayText, isSameDay } from '../events/times.ts';
import { exactTime, shortDay, timeText } from './dates.ts';
import { fieldTime, readTime, setTimeZone, startOfDay } from './time-zone.ts';

afterEach(() => setTimeZone('local'));

const instant = '2026-01-01T00:30:00.000Z';

test('times and days are in UTC if the user chose UTC', () => {
  setTimeZone('UTC');
  expect(timeText(instant)).toMatch(/^12:30:00\sAM$/);
  expect(exactTime(instant)).toMatch(/^Thursday, January 1, 2026.* UTC$/);
  expect(shortDay(instant, new Date('2026-06-01'))).toBe('Jan 1');
  expect(dayText(instant, new Date('2026-01-02T00:00:00Z'))).toBe('Yesterday · Thu, Jan 1 · UTC');
  expect(isSameDay(instant, '2026-01-01T23:59:59.999Z')).toBe(true);
  expect(isSameDay(instant, '2025-12-31T23:59:59.999Z')).toBe(false);
  expect(startOfDay(new Date(instant)).toISOString()).toBe('2026-01-01T00:00:00.000Z');
});

test.each([
  ['2026-01-01', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'],
  ['2026-01', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['2026-01-01T12:00', '2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.000Z'],
  ['2026-01-01T12:00+01:00', '2026-01-01T11:00:00.000Z', '2026-01-01T11:00:00.000Z'],
  ['yesterday', '2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['this week', '2025-12-29T00:00:00.000Z', '2026-01-05T00:00:00.000Z'],
  ['last month', '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ['wednesday', '2025-12-31T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
])('the query %s means days in UTC if the user chose UTC', (text, from, to) => {
  setTimeZone('UTC');
  const moment = readMoment(text, new Date(instant));
  expect([moment?.from.toISOString(), moment?.to.toISOString()]).toEqual([from, to]);
});

test.each(['local', 'UTC'] as const)('a time field shows the time that was entered: %s', (zone) => {
  setTimeZone(zone);
  expect(fieldTime(readTime('2026-07-01T08:15'))).toBe('2026-07-01T08:15');
  expect(fieldTime(new Date('nothing'))).toBe('');
});
