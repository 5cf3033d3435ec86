import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testApp } from '../../../../test/support/app.ts';
import { openBrowser } from '../../../../test/support/oidc/browser.ts';
import {
  listenHere,
  startProvider,
  type TestProvider,
} from '../../../../test/support/oidc/provider.ts';
import { lastEventId, offer, oidcSettings } from '../../../../test/support/oidc/sign-in-through.ts';

const login = '/auth/oidc/login';
const callback = '/auth/oidc/callback';

let app: TestApp;
let provider: TestProvider;
let now = Date.now();
let statusBeforeSettings: number;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(now) });
  ({ statusCode: statusBeforeSettings } = await app.app.inject(login));
  provider = await startProvider();
});

beforeEach(async () => {
  now = Date.now();
  provider.signIn('ada', { email: 'ada@example.com', email_verified: true });
  await offer(app, provider);
});

/** Goes to the provider and back, up to the callback. */
async function untilCallback(change: (url: URL) => void = () => undefined) {
  const browser = openBrowser(app);
  let url = new URL((await browser.open(login)).location as string);
  change(url);
  while (url.pathname !== callback) {
    const { location } = await browser.open(url.href);
    url = new URL(location as string, url);
  }
  return { browser, url };
}

async function expectRefused(url: string, refusal: string, browser = openBrowser(app)) {
  const before = await lastEventId(app);
  const { status, location } = await browser.open(url);
  expect([status, location]).toEqual([302, `/login?error=${refusal}`]);
  expect(browser.cookies.has('burgee-session')).toBe(false);
  expect(await lastEventId(app)).toBe(before);
}

describe('a callback from the provider is rejected', () => {
  test('if its state differs from the one of the sign-in', async () => {
    const { browser, url } = await untilCallback();
    url.searchParams.set('state', 'another');
    await expectRefused(url.href, 'log-in-expired', browser);
  });

  test('if it has no state or two', async () => {
    for (const change of [
      (url: URL) => url.searchParams.delete('state'),
      (url: URL) => url.searchParams.append('state', 'two'),
    ]) {
      const { browser, url } = await untilCallback();
      change(url);
      await expectRefused(url.href, 'log-in-expired', browser);
    }
  });

  test('in a browser that did not begin the sign-in', async () => {
    const { url } = await untilCallback();
    await expectRefused(url.href, 'log-in-expired');
    const { browser } = await untilCallback();
    await expectRefused(url.href, 'log-in-expired', browser);
  });

  test('if the nonce of the ID token is wrong', async () => {
    const { browser, url } = await untilCallback((redirect) =>
      redirect.searchParams.set('nonce', 'another'),
    );
    await expectRefused(url.href, 'provider-answer-not-valid', browser);
  });

  test('if the code was issued for another PKCE challenge', async () => {
    const { browser, url } = await untilCallback((redirect) =>
      redirect.searchParams.set('code_challenge', 'x'.repeat(43)),
    );
    await expectRefused(url.href, 'provider-answer-not-valid', browser);
  });

  test('if the code is invalid or missing', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('code', 'made-up'),
      (url: URL) => url.searchParams.delete('code'),
    ]) {
      const { browser, url } = await untilCallback();
      change(url);
      await expectRefused(url.href, 'provider-answer-not-valid', browser);
    }
  });

  test('the second time it is used', async () => {
    const { browser, url } = await untilCallback();
    const cookie = browser.cookies.get('burgee-oidc') as string;
    expect((await browser.open(url.href)).location).toBe('/');
    expect(browser.cookies.has('burgee-oidc')).toBe(false);
    const thief = openBrowser(app);
    (thief.cookies as Map<string, string>).set('burgee-oidc', cookie);
    await expectRefused(url.href, 'provider-answer-not-valid', thief);
  });

  test('ten minutes after the sign-in began', async () => {
    const { browser, url } = await untilCallback();
    now += 599_000;
    const late = await untilCallback();
    now += 2000;
    await expectRefused(url.href, 'log-in-expired', browser);
    expect((await late.browser.open(late.url.href)).location).toBe('/');
  });

  test('if the sign-in cookie is forged', async () => {
    const { browser, url } = await untilCallback();
    const cookie = browser.cookies.get('burgee-oidc') as string;
    for (const forged of ['', 'nonsense', `${cookie.slice(0, -4)}AAAA`, '%00']) {
      const other = openBrowser(app);
      (other.cookies as Map<string, string>).set('burgee-oidc', forged);
      await expectRefused(url.href, 'log-in-expired', other);
    }
  });
});

test('canceling at the provider leads back to the sign-in page with an error', async () => {
  provider.refuse();
  const { landed } = await openBrowser(app).follow(login);
  expect(landed).toBe('/login?error=log-in-cancelled');
});

test('the sign-in page after an error still leads to the requested path on this server', async () => {
  provider.refuse();
  for (const [returnTo, redirect] of [
    ['/signed-in', '&redirect=%2Fsigned-in'],
    ['https://evil.example', ''],
  ]) {
    const { landed } = await openBrowser(app).follow(`${login}?returnTo=${returnTo}`);
    expect(landed).toBe(`/login?error=log-in-cancelled${redirect}`);
  }
});

test('the sign-in cookie is limited to /auth/oidc, HttpOnly and encrypted', async () => {
  const { headers } = await app.app.inject(login);
  const cookie = String(headers['set-cookie']);
  expect(cookie).toMatch(
    /^burgee-oidc=[\w-]+; Max-Age=600; Path=\/auth\/oidc; HttpOnly; SameSite=Lax$/,
  );
  const sent = new URL(headers.location as string).searchParams;
  expect(sent.get('code_challenge_method')).toBe('S256');
  expect(sent.get('scope')).toBe('openid email profile');
  const readable = Buffer.from(cookie.slice(12).split(';')[0] as string, 'base64url').toString();
  expect(readable).not.toContain(sent.get('nonce'));
  expect(headers['cache-control']).toBe('no-store');
  const secure = await appOn(app, { config: { baseUrl: 'https://flags.example.com' } });
  const guarded = await secure.app.inject(login);
  expect(String(guarded.headers['set-cookie'])).toContain('; Secure');
});

test('a sign-in redirects to returnTo only if it is a path on this server', async () => {
  for (const [returnTo, landed] of [
    ['/projects/default?tab=1#x', '/projects/default?tab=1#x'],
    ['https://evil.example', '/'],
  ] as const) {
    const browser = openBrowser(app);
    const end = await browser.follow(`${login}?returnTo=${encodeURIComponent(returnTo)}`);
    expect(end.landed, returnTo).toBe(landed);
  }
});

test('concurrent sign-ins read the settings with one query', async () => {
  const waiting = () =>
    sql<{ count: number }>`
      select count(*)::int as count from pg_locks
      where not granted and relation = 'settings'::regclass
        and database = (select oid from pg_database where datname = current_database())`
      .execute(app.db)
      .then(({ rows }) => rows[0]?.count);
  let pages: Promise<{ readonly statusCode: number }>[] = [];
  await app.db.transaction().execute(async (tx) => {
    await sql`lock table settings in access exclusive mode`.execute(tx);
    pages = Array.from({ length: 20 }, () => app.app.inject(login));
    await expect.poll(waiting).toBe(1);
    expect((await app.ask('GET /api/admin/tag-types')).statusCode).toBe(200);
    expect(await waiting()).toBe(1);
  });
  const statuses = (await Promise.all(pages)).map(({ statusCode }) => statusCode);
  expect(new Set(statuses)).toEqual(new Set([302]));
});

describe('a sign-in fails', () => {
  test('with 404 while OpenID Connect is disabled', async () => {
    await app.ask(`POST ${oidcSettings}`, { payload: { enabled: false } });
    for (const path of [login, callback]) {
      const response = await app.app.inject(path);
      expect([response.statusCode, response.json().name]).toEqual([404, 'NotFoundError']);
    }
    expect(statusBeforeSettings).toBe(404);
  });

  test('if the provider is down', async () => {
    const short = await startProvider();
    await offer(app, short);
    await short.stop();
    await expectRefused(login, 'provider-unavailable');
  });

  test('if the provider goes down before the callback', async () => {
    const short = await startProvider();
    short.signIn('ada', { email: 'ada@example.com', email_verified: true });
    await offer(app, short);
    const { browser, url } = await untilCallback();
    await short.stop();
    await expectRefused(url.href, 'provider-unavailable', browser);
  });

  test('if the discovery document has another issuer or is not JSON', async () => {
    const answers = new Map([
      ['/other/.well-known/openid-configuration', JSON.stringify({ issuer: provider.issuer })],
      ['/html/.well-known/openid-configuration', '<html>'],
    ]);
    const { url } = await listenHere((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(answers.get(request.url ?? '') ?? '{}');
    });
    for (const name of ['other', 'html', 'empty']) {
      await offer(app, { issuer: `${url}/${name}` });
      await expectRefused(login, 'provider-unavailable');
    }
  });

  test('if the discovery document has no valid authorization endpoint', async () => {
    const addresses = ['javascript:alert(1)', 'not an address', { a: 1 }, undefined];
    const { url } = await listenHere((request, response) => {
      const name = request.url?.split('/', 2)[1] ?? '';
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          issuer: `${url}/${name}`,
          authorization_endpoint: addresses[Number(name)],
          token_endpoint: `${url}/token`,
        }),
      );
    });
    for (const name of addresses.keys()) {
      await offer(app, { issuer: `${url}/${name}` });
      await expectRefused(login, 'provider-answer-not-valid');
    }
  });

  test('if the client secret cannot be decrypted', async () => {
    const keyless = await appOn(app, { config: { encryptionKeys: [Buffer.alloc(32, 9)] } });
    for (const path of [login, callback]) {
      const { statusCode, headers } = await keyless.app.inject(path);
      expect([statusCode, headers.location]).toEqual([302, '/login?error=sign-in-not-set-up']);
    }
  });
});
