import { expect, test } from 'vitest';
import { removalText } from './environment-words.ts';

test.each([
  [0, 0, 'This project has no features yet, so nothing will be lost.'],
  [
    1,
    0,
    "1 feature will lose its strategies and variants in test. Adding the environment again won't restore them.",
  ],
  [
    12,
    3,
    "12 features will lose their strategies and variants in test, including 3 enabled now. Adding the environment again won't restore them.",
  ],
])(
  'removing an environment from a project with %i features, %i enabled',
  (features, enabled, text) => {
    expect(removalText('test', features, enabled)).toBe(text);
  },
);
