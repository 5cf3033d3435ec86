import { expect, it } from 'vitest';
import { readRetryAfter } from './response.ts';

const now = new Date('1994-11-06T08:49:00.000Z');

it.each([
  ['0', 0],
  ['12', 12_000],
  [' 12 ', 12_000],
  ['1.25', 1250],
  ['99999999999999999999', 86_400_000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ['Wed, 06 Nov 2094 08:49:37 GMT', 86_400_000],
  ['Sun, 99 Nov 1994 08:49:37 GMT', undefined],
  ['-5', undefined],
  ['1e3', undefined],
  ['', undefined],
  ['later', undefined],
  [undefined, undefined],
])('Retry-After %j means %j milliseconds', (value, expected) => {
  expect(readRetryAfter(value, now)).toBe(expected);
});
