import { expect, test } from 'vitest';
import { returnPath } from './return-to.ts';

test.each([
  ['/projects/default?tab=1#x', '/projects/default?tab=1#x'],
  ['https://evil.example', '/'],
  ['//evil.example', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/.//evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['/a\r\nset-cookie: x=1', '/'],
  [['/a', '/b'], '/'],
  [undefined, '/'],
])('after signing in with the return path %j the browser goes to %s', (input, path) => {
  expect(returnPath(input, '/')).toBe(path);
});
