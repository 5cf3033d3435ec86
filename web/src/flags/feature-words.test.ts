import { expect, test } from 'vitest';
import { stateOf } from './feature-words.ts';

test.each([
  [{ name: 'old', stale: false }, 'potentially-stale'],
  [{ name: 'old', stale: true }, 'stale'],
  [{ name: 'new', stale: false }, 'active'],
])('the state of %j is %s', (feature, state) => {
  expect(stateOf(feature, new Set(['old']))).toBe(state);
});

test('the state is unknown until the potentially stale features are', () => {
  expect(stateOf({ name: 'old', stale: false }, undefined)).toBeUndefined();
});
