import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { pages as allPages } from '../../../../test/page/addresses.ts';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const nonceIn = (body: string) => /<meta property="csp-nonce" nonce="([^"]+)" \/>/.exec(body)?.[1];

const policy = (nonce: string | undefined, images: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'; img-src ${images}; connect-src 'self'; form-action 'self'; base-uri 'self'; frame-ancestors 'none'; report-uri /csp-reports`;

const pages = ['/', '/search', '/history', '/projects', '/projects/a/features/b', '/profile'];
const waysIn = [
  '/login',
  '/forgotten-password',
  '/reset-password?token=abc',
  '/new-user?token=abc',
];

/** The files that a document loads. */
const filesOf = async (url: string): Promise<string[]> =>
  [...(await app.app.inject(url)).body.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
    ([, file = '']) => `/${file}`,
  );

describe('the HTML document', () => {
  test.each([
    ...pages.map((url) => [url, "'self' data:"]),
    ...waysIn.map((url) => [url, "'self'"]),
  ])('at %s has a strict content security policy and is not cached', async (url, images) => {
    const { statusCode, headers, body } = await app.app.inject(url as string);
    expect(statusCode).toBe(200);
    expect(headers['content-security-policy']).toBe(policy(nonceIn(body), images as string));
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    // The policy forbids these.
    expect(body).not.toMatch(/<style|style=|<script>|\son\w+=|javascript:/);
    // Only the script reads the secret of a link. The document must not repeat it.
    expect(body).not.toContain('abc');
  });

  test('is found at the path of every page, so that a proxy or a browser can reload it', async () => {
    const statuses = await Promise.all(
      allPages.map(async ({ path }) => [path, (await app.app.inject(path)).statusCode]),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
  });

  test('is returned with 404 for unknown paths, but only to browsers', async () => {
    const ask = (url: string, accept: string, method: 'GET' | 'POST' = 'GET') =>
      app.app.inject({ method, url, headers: { accept } });
    const browsers = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const page = await ask('/nothing/here', browsers);
    expect([page.statusCode, page.headers['content-type']]).toEqual([
      404,
      'text/html; charset=utf-8',
    ]);
    const nonce = nonceIn(page.body);
    expect(page.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    const others = await Promise.all([
      ask('/nothing/here', '*/*'),
      ask('/nothing/here', browsers, 'POST'),
    ]);
    for (const other of others) {
      expect([other.statusCode, other.json().name]).toEqual([404, 'NotFoundError']);
    }
    expect((await ask('/api/nothing', browsers)).json().name).toBe('AuthenticationRequired');
  });

  test('has a new random nonce in every response', async () => {
    const bodies = await Promise.all(['/', '/', '/login'].map((url) => app.app.inject(url)));
    const nonces = bodies.map(({ body }) => nonceIn(body) ?? '');
    expect(new Set(nonces).size).toBe(3);
    for (const nonce of nonces) expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
  });

  test('has the base path as escaped base URL', async () => {
    const below = await appOn(app, { config: { baseUrl: 'https://example.com/a"b&c' } });
    const path = new URL('https://example.com/a"b&c').pathname;
    const { body } = await below.app.inject('/login');
    expect(body).toContain(`<base href="${path.replaceAll('&', '&amp;')}/" />`);
  });
});

test('violations are reported below the base path, and by the Reporting API if there is TLS', async () => {
  const below = await appOn(app, { config: { baseUrl: 'https://example.com/a;b' } });
  const { headers } = await below.app.inject('/login');
  expect(headers['content-security-policy']).toMatch(
    /; report-uri \/a%3Bb\/csp-reports; report-to csp$/,
  );
  expect(headers['reporting-endpoints']).toBe('csp="/a%3Bb/csp-reports"');
});

describe('the files of the UI', () => {
  test.each(['/', '/login'])('loaded by %s are cached forever', async (url) => {
    const files = await filesOf(url);
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      // The name contains a hash of the content.
      expect(file).toMatch(/-[\w-]{8,}\.(js|css|woff2)$/);
      const { statusCode, headers } = await app.app.inject(file);
      expect([statusCode, file]).toEqual([200, file]);
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        vary: 'accept-encoding',
      });
    }
  });

  test.each(['/burgee.svg', '/color-scheme.js'])(
    'include %s, which is revalidated',
    async (url) => {
      const { statusCode, headers } = await app.app.inject(url);
      expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
    },
  );

  test('are compressed with a coding the browser accepts', async () => {
    const [script = ''] = await filesOf('/');
    const sizeIn = async (coding: string) => {
      const headers = { 'accept-encoding': coding };
      const answer = await app.app.inject({ url: script, headers });
      expect(answer.headers['content-encoding']).toBe(coding === 'identity' ? undefined : coding);
      return answer.rawPayload.length;
    };
    const plain = await sizeIn('identity');
    expect(await sizeIn('gzip')).toBeLessThan(plain / 2);
    expect(await sizeIn('br')).toBeLessThan(plain / 2);
  });

  test.each(['/assets/none.js', '/assets/..%2Findex.html', '/assets/%2e%2e%2f%2e%2e%2fbuild.js'])(
    'do not include %s: 404',
    async (url) => {
      expect((await app.app.inject(url)).statusCode).toBe(404);
    },
  );
});

describe('the styles', () => {
  const classNames = /\bm_[0-9a-f]{6,8}\b/g;
  const built = (ending: string) =>
    readdirSync('web/dist/assets')
      .filter((name) => name.endsWith(ending))
      .map((name) => readFileSync(`web/dist/assets/${name}`, 'utf8'))
      .join();

  test('include those of every component in use (web/src/mantine-styles.ts)', () => {
    const styled = new Set(
      readFileSync('node_modules/@mantine/core/styles.css', 'utf8').match(classNames),
    );
    const present = new Set(built('.css').match(classNames));
    const used = new Set(built('.js').match(classNames));
    expect(present.size).toBeGreaterThan(100);
    expect([...used].filter((name) => styled.has(name) && !present.has(name))).toEqual([]);
  });

  test('of legends are loaded with every chart, because legend colors are invisible without them', () => {
    const charts = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.tsx'))
      .map((name) => ({ name, text: readFileSync(`web/src/${name}`, 'utf8') }))
      .filter(({ text }) => text.includes("from '@mantine/charts'"));
    expect(charts.length).toBeGreaterThan(2);
    for (const { name, text } of charts) expect(text, name).toContain('ColorSwatch.layer.css');
  });
});

describe('the first load', () => {
  const compressedLength = async (url: string) =>
    (await app.app.inject({ url, headers: { 'accept-encoding': 'br' } })).rawPayload.length;

  const fontOfLatin = readdirSync('web/dist/assets').filter((name) =>
    /^inter-latin-[\w-]{8}\.woff2$/.test(name),
  );

  // The document, scripts, styles, and the font. Data and headers of responses add 20 kB, and all of it together may
  // be 300 kB: test/page/first-view.proof.ts.
  test.each(['/', '/search', '/history', '/login'])(
    'of %s is at most 275 kB, compressed, in at most 15 scripts',
    async (url) => {
      const files = [...new Set(await filesOf(url))].filter((file) => file.startsWith('/assets/'));
      expect(files.filter((file) => file.endsWith('.js')).length).toBeLessThanOrEqual(15);
      expect(fontOfLatin).toHaveLength(1);
      const all = [url, ...files, ...fontOfLatin.map((name) => `/assets/${name}`)];
      const lengths = await Promise.all(all.map(compressedLength));
      expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(275_000);
    },
  );

  test.each([
    ['/search', 'features-'],
    ['/projects/default', 'project-'],
    ['/projects/a%2Fb/features/c', 'feature-'],
    ['/history', 'event-log-'],
  ])('of %s preloads the script of its view', async (url, name) => {
    const scripts = (await filesOf(url)).filter((file) => file.startsWith(`/assets/${name}`));
    expect(scripts).not.toEqual([]);
    for (const script of scripts) expect((await app.app.inject(script)).statusCode).toBe(200);
  });

  test('preloads data for names in the path, escaped, and not for queries', async () => {
    const { body } = await app.app.inject('/projects/%22%3E/features/a&b');
    expect(body).toContain(
      'href="./api/admin/projects/%22%3E/features/a&amp;b?archived=true&amp;lastEventId=true"',
    );
    expect((await app.app.inject('/projects/a"><b/features/c')).body).not.toContain('"><b');
    expect((await app.app.inject('/search?query=secret')).body).not.toContain('secret');
  });
});

test('the UI is not part of the OpenAPI document', async () => {
  const { paths } = (await app.ask('GET /docs/openapi.json')).json();
  expect(Object.keys(paths)).toContain('/auth/simple/login');
  for (const path of ['/', '/login', '/projects', '/assets/{file}', '/burgee.svg']) {
    expect(Object.keys(paths)).not.toContain(path);
  }
});

test('the sign-in methods are available without authentication', async () => {
  const { statusCode, json } = await app.app.inject('/auth/providers');
  expect([statusCode, json()]).toEqual([
    200,
    { password: true, oidc: false, resetByEmail: false, firstSignIn: true },
  ]);
});
