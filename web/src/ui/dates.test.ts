import { expect, test } from 'vitest';
import { preciseTime, shortDay, sinceText, weekdayText } from './dates.ts';

const now = new Date(2026, 10, 18, 12);
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test.each([
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 min ago'],
  [3_599, '59 min ago'],
  [3 * 3_600, '3 h ago'],
  [5.9 * 86_400, '5 d ago'],
  [7 * 86_400, 'Nov 11'],
  [400 * 86_400, 'Oct 14, 2025'],
  [-1, 'just now'],
  [-30, 'in 1 min'],
  [-7_200, 'in 2 h'],
  [-6 * 86_400, 'in 6 d'],
  [-30 * 86_400, 'Dec 18'],
  [-60 * 86_400, 'Jan 17, 2027'],
])('a time %d seconds ago is shown as "%s"', (seconds, expected) => {
  expect(sinceText(ago(seconds), now)).toBe(expected);
});

test('precise times have milliseconds, and hours without a leading zero', () => {
  const text = preciseTime(new Date(2026, 10, 1, 16, 40, 2, 73));
  expect(text).toMatch(/^Sun, Nov 1, 2026, 4:40:02\.073\sPM /);
});

test('dates have a year unless it is the current one', () => {
  expect(shortDay(new Date(2026, 0, 2), now)).toBe('Jan 2');
  expect(shortDay(new Date(2025, 0, 2), now)).toBe('Jan 2, 2025');
  expect(weekdayText(new Date(2026, 10, 16), now)).toBe('Mon, Nov 16');
  expect(weekdayText(new Date(2025, 10, 16), now)).toBe('Sun, Nov 16, 2025');
});
