import { expect, test } from 'vitest';
import { dueAfterChange, dueAfterEmail } from './schedule.ts';

test.each([
  ['daily', '2026-11-18T05:59:59Z', '2026-11-18T06:00:00Z'],
  ['daily', '2026-11-18T06:00:00Z', '2026-11-19T06:00:00Z'],
  ['weekly', '2026-11-18T12:00:00Z', '2026-11-23T06:00:00Z'],
  ['weekly', '2026-11-23T05:00:00Z', '2026-11-23T06:00:00Z'],
  ['weekly', '2026-11-23T06:00:00Z', '2026-11-30T06:00:00Z'],
] as const)('the next %s email after %s is sent at %s', (frequency, now, next) => {
  expect(dueAfterChange(frequency, new Date(now))).toEqual(new Date(next));
  expect(dueAfterEmail(frequency, new Date(now))).toEqual(new Date(next));
});
