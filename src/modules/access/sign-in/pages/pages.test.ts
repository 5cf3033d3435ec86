import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../../test/support/app.ts';

let on: TestApp;
beforeAll(async () => {
  on = await testApp();
});

const pages = [
  ['/login', 'Sign in'],
  ['/forgotten-password', 'Forgotten password'],
  ['/reset-password?token=abc', 'New password'],
  ['/new-user?token=abc', 'Welcome'],
  ['/new-user?invite=abc', 'Join'],
  ['/account', 'Your account'],
] as const;

describe('the pages to sign in', () => {
  test.each(pages)('%s allows nothing that is not ours', async (url, title) => {
    const { statusCode, headers, body } = await on.app.inject(url);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(body).toContain(`<title>${title} · Burgee</title>`);
    // What the content security policy forbids.
    expect(body).not.toMatch(/<style|style=|<script>|\son\w+=|javascript:/);
    // The script reads the secret of the link. It is repeated nowhere.
    expect(body).not.toContain('abc');
  });

  test.each(pages)('every field of %s has its label, and errors are announced', async (url) => {
    const { body } = await on.app.inject(url);
    const inputs = [...body.matchAll(/<input id="([\w-]+)"/g)].map(([, id]) => id);
    for (const id of inputs) expect(body).toContain(`<label for="${id}">`);
    expect(body).toContain('role="alert"');
    expect(body).toMatch(/<html lang="en"/);
  });

  test.each([
    ['page.css', 'text/css; charset=utf-8'],
    ['page.js', 'text/javascript; charset=utf-8'],
    ['burgee.svg', 'image/svg+xml; charset=utf-8'],
  ])('%s is there', async (file, type) => {
    const response = await on.app.inject(`/sign-in/${file}`);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, type]);
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  test('lie under the path of the installation, and whatever is in it stays text', async () => {
    const below = await appOn(on, { config: { baseUrl: "https://example.com/fl'ags" } });
    const { body } = await below.app.inject('/login');
    expect(body).toContain('href="/fl&#39;ags/sign-in/page.css"');
    expect(body).toContain('data-base="/fl&#39;ags"');
  });

  test('are no part of the API', async () => {
    const document = (await on.ask('GET /docs/openapi.json')).json();
    expect(Object.keys(document.paths)).toContain('/auth/simple/login');
    for (const path of ['/login', '/account', '/new-user', '/sign-in/page.js']) {
      expect(Object.keys(document.paths)).not.toContain(path);
    }
  });
});

test('how people can sign in is known to everybody', async () => {
  const response = await on.app.inject('/auth/providers');
  expect([response.statusCode, response.json()]).toEqual([200, { password: true, oidc: false }]);
});
