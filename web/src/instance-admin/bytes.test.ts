import { expect, test } from 'vitest';
import { bytesText } from './bytes.ts';

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
