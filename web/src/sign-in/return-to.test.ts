import { expect, test } from 'vitest';
import { returnAddress } from './return-to.ts';

const here = { origin: 'https://flags.example', basePath: '/burgee/' };

test.each([
  [null, '/burgee/'],
  ['', '/burgee/'],
  ['/burgee/search?query=a#b', '/burgee/search?query=a#b'],
  ['https://flags.example/burgee/projects', '/burgee/projects'],
  ['/other-application', '/burgee/'],
  ['/burgee/../other', '/burgee/'],
  ['https://evil.example/burgee/', '/burgee/'],
  ['//evil.example/burgee/', '/burgee/'],
  ['/\\evil.example', '/burgee/'],
  ['/\t/evil.example', '/burgee/'],
  ['javascript:alert(1)', '/burgee/'],
  ['data:text/html,x', '/burgee/'],
  ['http://[', '/burgee/'],
])('after signing in, %j leads to %s', (returnTo, address) => {
  expect(returnAddress(returnTo, here)).toBe(address);
});

test('sign-in never leads to a path that starts with two slashes', () => {
  const atTheRoot = { origin: 'https://flags.example', basePath: '/' };
  expect(returnAddress('/.//evil.example', atTheRoot)).toBe('/');
  expect(returnAddress('/search', atTheRoot)).toBe('/search');
});
