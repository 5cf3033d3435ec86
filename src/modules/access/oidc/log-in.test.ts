import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { openBrowser } from '../../../../test/support/oidc/browser.ts';
import {
  listenHere,
  startProvider,
  type TestProvider,
} from '../../../../test/support/oidc/provider.ts';
import {
  lastEventId,
  offer,
  recordedSince,
  signInThrough,
} from '../../../../test/support/oidc/sign-in-through.ts';
import { hashSecret } from '../../../platform/secret.ts';

const login = '/auth/oidc/login';

let app: TestApp;
let provider: TestProvider;
beforeAll(async () => {
  app = await testApp();
  provider = await startProvider();
  await offer(app, provider);
});

const ada = { email: 'Ada@Example.com', email_verified: true, name: 'Ada Lovelace' };

test('a 401 names both sign-in methods', async () => {
  for (const path of ['/api/admin/user', '/api/admin/no-such-path', '/api/admin/%']) {
    expect((await app.app.inject(path)).json(), path).toMatchObject({
      name: 'AuthenticationRequired',
      type: 'password',
      path: '/auth/simple/login',
      defaultHidden: false,
      options: [{ type: 'oidc', message: expect.any(String), path: login }],
    });
  }
  const ofPrograms = await app.app.inject('/api/client/features');
  expect([ofPrograms.statusCode, ofPrograms.json().type]).toEqual([401, undefined]);
});

describe('a user who signs in through an OpenID Connect provider', () => {
  test('is created by the first sign-in and found by the next', async () => {
    const before = await lastEventId(app);
    const first = await signInThrough(app, provider, 'ada', ada);
    expect(first.landed).toBe('/');
    expect(first.user).toMatchObject({
      email: 'Ada@Example.com',
      name: 'Ada Lovelace',
      rootRole: 3,
    });
    expect(await recordedSince(app, before)).toMatchObject([
      {
        type: 'user-created',
        createdBy: 'burgee-system',
        data: { id: first.user.id, email: 'Ada@Example.com', source: 'oidc', rootRole: 3 },
      },
    ]);
    const created = await lastEventId(app);
    const renamed = { ...ada, email: 'ada@other.example' };
    const second = await signInThrough(app, provider, 'ada', renamed);
    expect([second.landed, second.user.id]).toEqual(['/', first.user.id]);
    expect(await recordedSince(app, created)).toEqual([]);
  });

  test('is matched by verified email the first time and by subject from then on', async () => {
    const invited = await app.ask('POST /api/admin/user-admin', {
      payload: { email: 'grace@example.com', name: 'Grace', rootRole: 2 },
    });
    expect(invited.statusCode).toBe(201);
    const { id } = invited.json();
    const before = await lastEventId(app);
    const claims = { email: 'GRACE@example.com', email_verified: true };
    expect((await signInThrough(app, provider, 'grace', claims)).user).toMatchObject({
      id,
      rootRole: 2,
    });
    expect(await recordedSince(app, before)).toMatchObject([
      {
        type: 'user-updated',
        createdBy: 'burgee-system',
        data: { id, externalSubject: `${provider.issuer} grace` },
      },
    ]);
    const later = await signInThrough(app, provider, 'grace', {});
    expect(later.user.id).toBe(id);
  });

  test('is matched by email regardless of its Unicode normalization', async () => {
    const invited = await app.ask('POST /api/admin/user-admin', {
      payload: { email: 'ren\u00e9@example.com', rootRole: 2 },
    });
    const claims = { email: 'rene\u0301@example.com', email_verified: true };
    const { user } = await signInThrough(app, provider, 'rene', claims);
    expect(user.id).toBe(invited.json().id);
  });

  test('takes over an account that someone else created with their email, ending its password and sessions', async () => {
    const { secret } = (
      await app.ask('POST /api/admin/invite-link/tokens', {
        payload: { name: 'open day', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
      })
    ).json();
    const password = 'somebody-else-chose-42';
    const anonymous = { authorization: '' };
    const { id } = (
      await app.ask(`POST /invite/${secret}/signup`, {
        payload: { email: 'victim@example.com', name: 'Not the victim', password },
        headers: anonymous,
      })
    ).json();
    const logIn = () =>
      app.ask('POST /auth/simple/login', {
        payload: { username: 'victim@example.com', password },
        headers: anonymous,
      });
    const [cookie] = (await logIn()).cookies;
    const claims = { email: 'victim@example.com', email_verified: true };
    expect((await signInThrough(app, provider, 'victim', claims)).user.id).toBe(id);
    expect((await logIn()).statusCode).toBe(401);
    const former = await app.app.inject({
      url: '/api/admin/user',
      headers: { cookie: `${cookie?.name}=${cookie?.value}` },
    });
    expect(former.statusCode).toBe(401);
  });

  test('is not matched by an email that is unverified or has no verification status', async () => {
    await app.ask('POST /api/admin/user-admin', {
      payload: { email: 'boss@example.com', rootRole: 1 },
    });
    const before = await lastEventId(app);
    for (const [verified, refusal] of [
      [{ email_verified: false }, 'email-not-verified'],
      [{}, 'account-taken'],
    ] as const) {
      const claims = { email: 'boss@example.com', ...verified };
      const { landed, user } = await signInThrough(app, provider, 'mallory', claims);
      expect([landed, user]).toEqual([`/login?error=${refusal}`, undefined]);
    }
    expect(await recordedSince(app, before)).toEqual([]);
  });

  test('is not matched by an email that the provider has reassigned from another subject', async () => {
    const claims = { email: 'shared@example.com', email_verified: true };
    const { user } = await signInThrough(app, provider, 'first-holder', claims);
    expect(user.email).toBe('shared@example.com');
    const heir = await signInThrough(app, provider, 'second-holder', claims);
    expect(heir.landed).toBe('/login?error=account-taken');
  });

  test('is not matched with an account whose username equals their email', async () => {
    await app.ask('POST /api/admin/user-admin', {
      payload: { username: 'looks@example.com', rootRole: 1 },
    });
    const claims = { email: 'looks@example.com', email_verified: true };
    const { landed } = await signInThrough(app, provider, 'lookalike', claims);
    expect(landed).toBe('/login?error=account-taken');
  });

  test('is created with the username if the provider sends no email, and rejected if it sends neither', async () => {
    const { user } = await signInThrough(app, provider, 'hopper', {
      preferred_username: 'hopper',
      given_name: 'Grace',
      family_name: 'Hopper',
    });
    expect(user).toMatchObject({ username: 'hopper', name: 'Grace Hopper' });
    const nobody = await signInThrough(app, provider, 'nameless', {});
    expect(nobody.landed).toBe('/login?error=account-incomplete');
    const odd = await signInThrough(app, provider, 'odd', { preferred_username: 'with\ttab' });
    expect(odd.landed).toBe('/login?error=account-incomplete');
  });

  test('is created once by concurrent first sign-ins', async () => {
    provider.signIn('twice', { email: 'twice@example.com', email_verified: true });
    const before = await lastEventId(app);
    const ends = await Promise.all(
      [openBrowser(app), openBrowser(app), openBrowser(app)].map((each) => each.follow(login)),
    );
    expect(ends.map(({ landed }) => landed)).toEqual(['/', '/', '/']);
    expect(await recordedSince(app, before)).toMatchObject([{ type: 'user-created' }]);
  });

  test('is rejected after deletion, or gets a new account if autoCreate is enabled', async () => {
    const claims = { email: 'leaver@example.com', email_verified: true };
    const { user, browser } = await signInThrough(app, provider, 'leaver', claims);
    await app.ask(`DELETE /api/admin/user-admin/${user.id}`);
    expect((await browser.ask('/api/admin/user')).statusCode).toBe(401);
    await offer(app, provider, { autoCreate: false });
    const again = await signInThrough(app, provider, 'leaver', claims);
    expect([again.landed, again.user]).toEqual(['/login?error=account-unknown', undefined]);
    await offer(app, provider);
    const newcomer = await signInThrough(app, provider, 'leaver', claims);
    expect(newcomer.user.id).not.toBe(user.id);
  });

  test('gets the configured root role, and is rejected outside the configured email domains', async () => {
    await offer(app, provider, {
      defaultRootRole: 'Editor',
      emailDomains: 'example.com, Corp.example',
    });
    const insider = await signInThrough(app, provider, 'insider', {
      email: 'insider@CORP.example',
      email_verified: true,
    });
    expect(insider.user.rootRole).toBe(2);
    for (const claims of [
      { email: 'x@evil.example', email_verified: true },
      { email: 'x@sub.corp.example', email_verified: true },
      { email: 'x@corp.example.evil.example', email_verified: true },
      { preferred_username: 'x' },
    ]) {
      const { landed } = await signInThrough(app, provider, 'outsider', claims);
      expect(landed, JSON.stringify(claims)).toBe('/login?error=email-domain-not-allowed');
    }
    await offer(app, provider, { defaultRootRole: null, emailDomains: '' });
  });

  test('gets a new session that replaces the previous one of the browser', async () => {
    const { browser, user } = await signInThrough(app, provider, 'ada', ada);
    const known = browser.cookies.get('burgee-session') as string;
    await browser.follow(login);
    const fresh = browser.cookies.get('burgee-session') as string;
    expect(fresh).not.toBe(known);
    const sessions = await app.db
      .selectFrom('sessions')
      .where('user_id', '=', user.id)
      .select('secret_hash as hash')
      .execute();
    const hashes = sessions.map(({ hash }) => hash.toString('hex'));
    expect(hashes).toContain(hashSecret(fresh).toString('hex'));
    expect(hashes).not.toContain(hashSecret(known).toString('hex'));
  });

  test('can sign in during maintenance if the account exists', async () => {
    await signInThrough(app, provider, 'ada', ada);
    await app.ask('POST /api/admin/maintenance', { payload: { enabled: true } });
    const before = await lastEventId(app);
    const known = await signInThrough(app, provider, 'ada', ada);
    const claims = { email: 'late@example.com', email_verified: true };
    const newcomer = await signInThrough(app, provider, 'late', claims);
    expect([known.landed, newcomer.landed]).toEqual(['/', '/login?error=maintenance']);
    expect(await recordedSince(app, before)).toEqual([]);
    await app.ask('POST /api/admin/maintenance', { payload: { enabled: false } });
  });
});

describe('a provider', () => {
  test('may send all claims in the ID token and require client_secret_post', async () => {
    const other = await startProvider({ claimsInToken: true, authMethod: 'client_secret_post' });
    const here = await testApp();
    await offer(here, { issuer: `${other.issuer}/.well-known/openid-configuration` });
    const { user } = await signInThrough(here, other, 'ada', ada);
    expect(user).toMatchObject({ email: 'Ada@Example.com' });
  });

  test('may work without PKCE, and may be restricted to one signing algorithm', async () => {
    await offer(app, provider, { enablePkce: false, idTokenSigningAlgorithm: 'RS256' });
    const browser = openBrowser(app);
    provider.signIn('ada', ada);
    const { passed } = await browser.follow(login);
    expect(passed[1]).not.toContain('code_challenge');
    await offer(app, provider, { enablePkce: true, idTokenSigningAlgorithm: 'ES256' });
    expect((await openBrowser(app).follow(login)).landed).toBe(
      '/login?error=provider-answer-not-valid',
    );
    await offer(app, provider, { idTokenSigningAlgorithm: null });
  });

  test('may have an issuer with or without a trailing slash', async () => {
    const asked = new Map<string, object>();
    const { url } = await listenHere((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(asked.get(request.url ?? '') ?? {}));
    });
    for (const issuer of [`${url}/realms/a/`, `${url}/realms/b`]) {
      const document = '/.well-known/openid-configuration';
      const path = `${new URL(issuer).pathname.replace(/\/$/, '')}${document}`;
      asked.set(path, { issuer, authorization_endpoint: `${issuer}authorise` });
      for (const discoverUrl of [issuer, `${url}${path}`, issuer.replace(/\/$/, '')]) {
        await offer(app, { issuer: discoverUrl });
        const { location } = await openBrowser(app).open(login);
        expect(location, discoverUrl).toContain(`${issuer}authorise?`);
      }
    }
    await offer(app, provider);
  });

  test('is discovered once in five minutes, and again when the settings change', async () => {
    let now = Date.now();
    const other = await startProvider();
    const here = await testApp({ clock: () => new Date(now) });
    await offer(here, other);
    const begin = () => openBrowser(here).open(login);
    await Promise.all([begin(), begin(), begin()]);
    await begin();
    expect(other.discoveries()).toBe(1);
    await offer(here, other, { acrValues: 'urn:strong' });
    expect((await begin()).location).toContain('acr_values=urn%3Astrong');
    expect(other.discoveries()).toBe(2);
    now += 301_000;
    await begin();
    expect(other.discoveries()).toBe(3);
  });
});
