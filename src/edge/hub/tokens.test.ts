import { expect, test } from 'vitest';
import { partsOf, validateTokens } from './tokens.ts';

test('a request to validate tokens is never larger than upstreams accept', async () => {
  const sizes: number[] = [];
  const post = async (_: string, body: object) => {
    sizes.push(JSON.stringify(body).length);
    return { status: 200, headers: {}, body: { tokens: [] } };
  };
  const secrets = Array.from({ length: 300 }, (_, nth) => `*:development.${nth}${'"'.repeat(470)}`);
  const { invalid } = await validateTokens({ post }, secrets);
  expect(invalid.length).toBe(300);
  expect(Math.max(...sizes)).toBeLessThan(64 * 1024);
});

test.each([
  ['*:development.secret', { project: '*', environment: 'development' }],
  ['[]:production.secret', { project: undefined, environment: 'production' }],
  ['one:a.b.c', { project: 'one', environment: 'a' }],
  ['*:development.', undefined],
  ['*:development', undefined],
  ['user:secret', undefined],
  ['*:development.two words', undefined],
  ['*:development.a,b', undefined],
  ['*:development.schlüssel', undefined],
  ['*:development.\u0000', undefined],
  [`*:development.${'x'.repeat(490)}`, undefined],
])('the token %j has the parts %j', (secret, parts) => {
  expect(partsOf(secret)).toEqual(parts);
});
