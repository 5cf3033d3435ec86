import { expect, test } from 'vitest';
import { stateOf } from './feature-words.ts';

test.each([
  [{ stale: false, potentiallyStale: true }, 'potentially-stale'],
  [{ stale: true, potentiallyStale: false }, 'stale'],
  [{ stale: false, potentiallyStale: false }, 'active'],
] as const)('the state of %j is %s', (feature, state) => {
  expect(stateOf(feature)).toBe(state);
});
