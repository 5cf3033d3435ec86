import { expect, test } from 'vitest';
import { savedText } from './environment-words.ts';

const staging = { name: 'staging', type: 'test', enabled: true };

test.each([
  [{ enabled: false }, "staging won't be added to new projects"],
  [{ type: 'production' }, 'staging type changed to production'],
  [{ type: 'production', enabled: false }, 'Environment staging saved'],
  [{}, 'Environment staging saved'],
])('saving an environment with %j says what changed', (change, text) => {
  expect(savedText(staging, { ...staging, ...change })).toBe(text);
});

test('adding an environment to new projects again says so', () => {
  const excluded = { ...staging, enabled: false };
  expect(savedText(excluded, staging)).toBe('staging will be added to new projects');
});
