import { expect, test } from 'vitest';
import { lastHourText, variantRows } from './usage-words.ts';

test.each([
  [{ yes: 11_988, no: 12 }, '12K evaluations last hour · 99.9% enabled'],
  [{ yes: 1, no: 0 }, '1 evaluation last hour · 100% enabled'],
  [{ yes: 0, no: 0 }, undefined],
])('the usage %j in the last hour is shown as "%s"', (usage, text) => {
  expect(lastHourText(usage)).toBe(text);
});

test('variants are listed with their share of evaluations and their weights', () => {
  const sums = [
    { name: 'blue', times: 5_120 },
    { name: 'red', times: 4_880 },
    { name: 'removed', times: 0 },
  ];
  const weights = new Map([
    ['blue', new Set([500])],
    ['red', new Set([500, 300])],
    ['new', new Set([200])],
  ]);
  expect(variantRows(sums, weights)).toEqual([
    { name: 'blue', times: 5_120, share: '51.2%', weight: '50%' },
    { name: 'red', times: 4_880, share: '48.8%', weight: '30% or 50%' },
    { name: 'removed', times: 0, share: '0%', weight: '–' },
    { name: 'new', times: 0, share: '0%', weight: '20%' },
  ]);
});
