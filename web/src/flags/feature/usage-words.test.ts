import { expect, test } from 'vitest';
import { lastHourText, variantUsage } from './usage-words.ts';

test.each([
  [{ yes: 11_988, no: 12 }, '12K evaluations last hour · 99.9% enabled'],
  [{ yes: 1, no: 0 }, '1 evaluation last hour · 100% enabled'],
  [{ yes: 0, no: 0 }, undefined],
])('the usage of an hour %j shows the total and the percentage enabled', (usage, text) => {
  expect(lastHourText(usage)).toBe(text);
});

test('the usage of a variant shows its share beside its weight', () => {
  const sums = [
    { name: 'blue', times: 5_120 },
    { name: 'red', times: 4_880 },
  ];
  const weights = new Map([
    ['blue', new Set([500])],
    ['red', new Set([500, 300])],
  ]);
  expect(variantUsage(sums, weights)).toEqual([
    { name: 'blue', text: '5,120 · 51.2% (weight 50%)' },
    { name: 'red', text: '4,880 · 48.8%' },
  ]);
});
