import { expect, test } from 'vitest';
import { ageText } from './age.ts';

test.each([
  [40, '62 d old, expected 40 d'],
  [null, '62 d old'],
  [undefined, '62 d old'],
])('the age of a feature with an expected lifetime of %s days is "%s"', (lifetimeDays, text) => {
  expect(ageText('2026-09-10T12:00:00Z', lifetimeDays, new Date('2026-11-11T13:00:00Z'))).toBe(
    text,
  );
});
