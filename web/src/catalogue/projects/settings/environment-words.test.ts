import { expect, test } from 'vitest';
import { removalText } from './environment-words.ts';

test.each([
  [
    0,
    0,
    'This project has no active features. If it has archived ones, they will lose their strategies and variants in test.',
  ],
  [
    1,
    0,
    "1 active feature will lose its strategies and variants in test. So will archived features. Adding the environment again won't restore them.",
  ],
  [
    12,
    3,
    "12 active features will lose their strategies and variants in test, including 3 enabled now. So will archived features. Adding the environment again won't restore them.",
  ],
])(
  'the removal of an environment says that it affects %i features, %i of them enabled',
  (features, enabled, text) => {
    expect(removalText('test', features, enabled)).toBe(text);
  },
);
