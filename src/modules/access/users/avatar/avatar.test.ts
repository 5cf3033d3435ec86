import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const draw = (id: number | string, headers: Record<string, string> = {}) =>
  app.app.inject({ url: `/avatars/${id}.svg`, headers });

describe('an avatar', () => {
  test('is a cacheable SVG without scripts, available without authentication', async () => {
    const response = await draw(7);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': expect.stringMatching(/^image\/svg\+xml/),
      'cache-control': 'public, max-age=86400',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    expect(response.body).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>$/);
    expect(response.body).not.toMatch(/<script|style|<text|<title|href/);
  });

  test('is stable for an id and differs between ids, including negative ones of tokens', async () => {
    const bodies = await Promise.all(
      [...Array(20).keys()]
        .flatMap((n) => [draw(n + 1), draw(-n - 1)])
        .map(async (r) => (await r).body),
    );
    expect(new Set(bodies).size).toBeGreaterThan(30);
    expect((await draw(7)).body).toBe((await draw(7)).body);
  });

  test('returns 304 if the ETag matches', async () => {
    const etag = String((await draw(7)).headers.etag);
    for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`]) {
      const response = await draw(7, { 'if-none-match': known });
      expect([response.statusCode, response.body]).toEqual([304, '']);
    }
    expect((await draw(8, { 'if-none-match': etag })).statusCode).toBe(200);
  });

  test('exists for unknown ids, so that it does not reveal which users exist', async () => {
    const statuses = await Promise.all([draw(1), draw(1_999_999_999)]);
    expect(statuses.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test.each(['0', 'x', '1.5', '--1', '01', '9999999999', '', '1%20', '%3Cb%3E'])(
    'returns 404 for the id %j',
    async (id) => {
      const response = await draw(id);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    },
  );
});
