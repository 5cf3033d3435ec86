import { expect, test } from 'vitest';
import { isSame } from './is-same.ts';

test('objects are equal whatever the order of their properties, and despite undefined ones', () => {
  expect(isSame({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1, d: undefined })).toBe(true);
  expect(isSame([1, 2], [2, 1])).toBe(false);
  expect(isSame({ 0: 1 }, [1])).toBe(false);
});
