import { expect, test } from 'vitest';
import { sumsBy, type UsageHour, usagePoints, variantSums } from './usage-points.ts';

const hour = (timestamp: string, yes: number, part: Partial<UsageHour> = {}): UsageHour => ({
  featureName: 'f',
  appName: 'web',
  environment: 'production',
  timestamp,
  yes,
  no: 1,
  variants: {},
  ...part,
});

const now = Date.parse('2026-01-10T12:30:00Z');

test('the usage chart has a point for every hour, even without usage', () => {
  const points = usagePoints(
    [
      hour('2026-01-10T12:00:00Z', 5),
      hour('2026-01-10T12:00:00Z', 2),
      hour('2026-01-01T00:00:00Z', 9),
    ],
    3,
    now,
  );
  expect(points.map(({ yes, no }) => [yes, no])).toEqual([
    [0, 0],
    [0, 0],
    [7, 2],
  ]);
});

test('the usage chart of a week has one point per day', () => {
  const points = usagePoints(
    [hour('2026-01-10T11:00:00Z', 5), hour('2026-01-10T12:00:00Z', 2)],
    168,
    now,
  );
  expect(points.length).toBeLessThanOrEqual(8);
  expect(points.reduce((sum, { yes }) => sum + yes, 0)).toBe(7);
});

test('applications and variants are listed by usage, most first', () => {
  const data = [
    hour('2026-01-10T12:00:00Z', 1, { variants: { a: 1, b: 2 } }),
    hour('2026-01-10T12:00:00Z', 8, { appName: 'api', variants: { a: 3 } }),
  ];
  expect(sumsBy(data, ({ appName }) => appName)).toEqual([
    { key: 'api', yes: 8, no: 1 },
    { key: 'web', yes: 1, no: 1 },
  ]);
  expect(variantSums(data)).toEqual([
    { name: 'a', times: 4 },
    { name: 'b', times: 2 },
  ]);
});
