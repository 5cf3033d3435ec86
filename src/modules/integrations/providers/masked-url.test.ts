import { expect, it } from 'vitest';
import { maskedPath, maskedUrl } from './masked-url.ts';

it.each([
  ['https://example.com/hooks/a', 'https://example.com/hooks/a'],
  ['https://example.com:8443', 'https://example.com:8443/'],
  ['https://example.com/a?token=canary&x=canary', 'https://example.com/a?token=*****&x=*****'],
  ['https://example.com/a?canary', 'https://example.com/a?*****'],
  ['https://example.com/a?t=canary=canary&&y', 'https://example.com/a?t=*****&*****&*****'],
  ['https://ada:canary@example.com/a', 'https://ada:*****@example.com/a'],
  ['https://canary@example.com/a', 'https://*****@example.com/a'],
  ['https://:canary@example.com/a', 'https://:*****@example.com/a'],
  ['https://example.com/a#canary', 'https://example.com/a'],
  ['canary', '*****'],
])('masks the secrets in %s', (address, shown) => {
  expect(maskedUrl(address)).toBe(shown);
});

it.each([
  ['https://example.com/services/canary/canary?x=canary', 'https://example.com/*****'],
  ['https://ada:canary@example.com:8443', 'https://ada:*****@example.com:8443/*****'],
  ['canary', '*****'],
])('masks the path of %s if it is secret', (address, shown) => {
  expect(maskedPath(address)).toBe(shown);
});
