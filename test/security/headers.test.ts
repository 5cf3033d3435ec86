import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const headersOf = async (url: string) => (await app.app.inject({ url })).headers;

describe('security headers', () => {
  test.each([
    '/api/admin/projects',
    '/health',
    '/login',
    '/docs/openapi',
    '/nowhere',
    '/assets/no',
  ])('%s cannot be framed, sniffed or embedded by other sites', async (url) => {
    const headers = await headersOf(url);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.server).toBeUndefined();
  });

  test.each(['/', '/login', '/docs/openapi'])(
    'the document %s cannot be controlled or framed by other sites, and sends no referrer',
    async (url) => {
      const headers = await headersOf(url);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(headers['x-frame-options']).toMatch(/SAMEORIGIN|DENY/);
      expect(headers['referrer-policy']).toBe('no-referrer');
    },
  );

  test('a file of the UI is not sniffed, and other sites cannot embed it', async () => {
    expect(await headersOf('/color-scheme.js')).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  test.each(['/login', '/forgotten-password', '/reset-password', '/new-user', '/signed-in'])(
    'the page %s runs only our own script',
    async (url) => {
      const policy = String((await headersOf(url))['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
      expect((await headersOf(url))['cache-control']).toContain('no-store');
    },
  );

  test('the documentation page runs no script from other sites', async () => {
    const policy = String((await headersOf('/docs/openapi'))['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toMatch(/unsafe-eval|https?:|upgrade-insecure|\*/);
  });

  test('an API response runs no script even if a browser shows it as a page', async () => {
    expect((await headersOf('/api/admin/projects'))['content-security-policy']).toBe(
      "default-src 'none';frame-ancestors 'none'",
    );
  });
});

describe('text from a request does not reach the response headers', () => {
  test.each([
    'x\r\nset-cookie: a=b',
    'x%0d%0aset-cookie:%20a=b',
    '//evil.example',
    'https://evil.example',
  ])('for %j', async (text) => {
    const asked = [
      `/login?error=${encodeURIComponent(text)}`,
      `/reset-password?token=${encodeURIComponent(text)}`,
      `/${encodeURIComponent(text)}`,
    ];
    for (const url of asked) {
      const { headers } = await app.app.inject({ url });
      expect(headers['set-cookie'], url).toBeUndefined();
      expect(String(headers.location ?? '/'), url).toMatch(/^\/(?!\/)/);
    }
    const traced = await app.app.inject({
      url: '/health',
      headers: { 'x-request-id': text.replace(/[\r\n]/g, ' ') },
    });
    expect(traced.headers['x-request-id']).not.toContain('evil');
    expect(traced.headers['x-request-id']).not.toContain('cookie');
  });
});
