import { beforeAll, describe, expect, test } from 'vitest';
import { endpointsById } from '../../src/app/large-bodies/endpoints.ts';
import { type TestApp, testApp } from '../support/app.ts';

const isChange = ({ method }: { readonly method: string }) => method !== 'GET';
const endpoints = [...endpointsById().values()].filter(isChange);
const ofAnybody = endpoints.filter(({ permission }) => permission === 'public');
/** Frontend tokens are public: every browser gets them. */
const ofBrowsers = endpoints.filter(({ audience }) => audience?.includes('frontend'));

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

describe('the body limit of a public endpoint', () => {
  test('is set for several endpoints', () => {
    expect([ofAnybody.length > 5, ofBrowsers.length > 3]).toEqual([true, true]);
  });

  test.each(ofAnybody)('is at most 64 KiB for $method $path', ({ bodyLimitBytes }) => {
    expect(bodyLimitBytes).toBeLessThanOrEqual(64 * 1024);
  });

  test.each(ofBrowsers)('is at most 128 KiB for $method $path', ({ bodyLimitBytes }) => {
    expect(bodyLimitBytes).toBeLessThanOrEqual(128 * 1024);
  });

  test.each(ofAnybody)('rejects a larger body with 413 for $method $path', async (endpoint) => {
    const { method, path, bodyLimitBytes = Number.POSITIVE_INFINITY } = endpoint;
    const response = await app.app.inject({
      method: method as 'POST',
      url: path.replace(/:\w+/g, 'x'),
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ text: 'x'.repeat(bodyLimitBytes) }),
    });
    expect(response.statusCode).toBe(413);
    expect(response.json()).toMatchObject({
      name: 'PayloadTooLargeError',
      message: `The body exceeds the limit of ${bodyLimitBytes} bytes for this operation`,
    });
  });
});

test.each([
  ['/auth/simple/login', { username: 'é'.repeat(320), password: '\u0001'.repeat(1_000) }, 401],
  ['/auth/reset/validate-password', { password: '\u0001'.repeat(1_000) }, 400],
])('%s accepts the longest values of its fields', async (url, payload, status) => {
  const response = await app.app.inject({ method: 'POST', url, payload });
  expect(response.statusCode).toBe(status);
});
