import { expect, test } from 'vitest';
import { bytesText, usageOf } from './bytes.ts';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [1_449_000, '1.4 MB'],
  [2_000_000_000, '2 GB'],
  [3_100_000_000_000_000, '3,100 TB'],
])('%i bytes are shown as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('a resource is shown with how much is used, and a warning above 90%', () => {
  expect(usageOf({ free: 20_700_000_000, total: 25_200_000_000 })).toMatchObject({
    text: '4.5 GB of 25.2 GB used',
    isLow: false,
  });
  expect(usageOf({ free: 50, total: 1_000 })).toEqual({
    share: 95,
    text: '950 B of 1 kB used · Almost full',
    isLow: true,
  });
  expect(usageOf({ free: 0, total: 0 }).share).toBe(0);
});
