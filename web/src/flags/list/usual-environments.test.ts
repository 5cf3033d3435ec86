import { expect, test } from 'vitest';
import { usualOf } from './usual-environments.ts';

const environment = (name: string) => ({
  name,
  type: name.startsWith('prod') ? 'production' : 'development',
});

test.each([
  ['all, where there are few', 'dev prod', 'dev prod'],
  ['the first ones and production', 'dev test stage prod', 'dev test prod'],
  [
    'one production of several, where others are there',
    'dev test prod-eu prod-us',
    'dev test prod-eu',
  ],
  [
    'several productions, where there is room',
    'dev prod-eu prod-us prod-as',
    'dev prod-eu prod-us',
  ],
  ['the first ones, where there is no production', 'a b c d', 'a b c'],
  ['none', '', ''],
])('the usual environments are %s', (_, given, shown) => {
  const environments = given.split(' ').filter(Boolean).map(environment);
  expect(usualOf(environments, 3).join(' ')).toBe(shown);
});
