import { expect, test } from 'vitest';
import { usualOf } from './usual-environments.ts';

const environment = (name: string) => ({
  name,
  type: name.startsWith('prod') ? 'production' : 'development',
});

test.each([
  ['all environments if there are few', 'dev prod', 'dev prod'],
  ['the first environments and production', 'dev test stage prod', 'dev test prod'],
  [
    'one of several production environments beside others',
    'dev test prod-eu prod-us',
    'dev test prod-eu',
  ],
  [
    'several production environments if there is room',
    'dev prod-eu prod-us prod-as',
    'dev prod-eu prod-us',
  ],
  ['the first environments if there is no production', 'a b c d', 'a b c'],
  ['no environments if there are none', '', ''],
])('the feature list shows %s by default', (_, given, shown) => {
  const environments = given.split(' ').filter(Boolean).map(environment);
  expect(usualOf(environments, 3).join(' ')).toBe(shown);
});
