import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { closeLater } from '../../../../test/support/closing.ts';
import { openBrowser } from '../../../../test/support/oidc/browser.ts';
import { clientSecret, startProvider } from '../../../../test/support/oidc/provider.ts';
import { lastEventId, offer, oidcSettings } from '../../../../test/support/oidc/sign-in-through.ts';
import { adminToken } from '../../../../test/support/tokens.ts';
import { buildServer } from '../../../app/server.ts';

/** A server whose log lines are collected without redaction. */
async function talkativeApp() {
  const lines: string[] = [];
  const base = await testApp();
  const app = await buildServer({
    config: {
      baseUrl: 'http://localhost:4242',
      databasePoolMax: 6,
      trustedProxies: [],
      maxConnections: 1_000,
      publicMetrics: false,
      eventRetentionDays: undefined,
      metricsRetentionDays: 30,
      signingKeyFile: undefined,
      sessionTtlHours: 48,
      sessionIdleHours: 12,
      mail: undefined,
      encryptionKeys: [Buffer.alloc(32, 7)],
      targets: { privateTargets: false, loopback: true },
      deliveryTimeoutMs: 15_000,
    },
    connection: base.connection,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
  closeLater(() => app.close());
  const ask: TestApp['ask'] = (request, options = {}) => {
    const [method, url] = request.split(' ');
    return app.inject({
      method: method as 'GET',
      url: url as string,
      headers: { authorization: adminToken },
      ...options,
    });
  };
  return { app: { ...base, app, ask }, lines };
}

test('secrets, codes and tokens of a sign-in appear in no response, event or log line', async () => {
  const { app, lines } = await talkativeApp();
  const provider = await startProvider();
  const since = await lastEventId(app);
  const answers = [
    (await offer(app, provider)).body,
    (await app.ask(`GET ${oidcSettings}`)).body,
    (await app.ask(`POST ${oidcSettings}`, { payload: { clientId: 'other' } })).body,
    (await offer(app, provider, { idTokenSigningAlgorithm: 'ES256' })).body,
  ];

  provider.signIn('ada', { email: 'ada@example.com', email_verified: true });
  const codes: string[] = [];
  const noteCode = (url: URL) => {
    const code = url.searchParams.get('code');
    if (code) codes.push(code);
  };
  const failed = await openBrowser(app).follow('/auth/oidc/login', noteCode);
  expect(failed.landed).toBe('/login?error=provider-answer-not-valid');
  await offer(app, provider, { idTokenSigningAlgorithm: null });
  const browser = openBrowser(app);
  await browser.follow('/auth/oidc/login', noteCode);
  expect(codes).toHaveLength(2);
  await offer(app, provider, { secret: 'canary-wrong-secret-77' });
  const wrong = await openBrowser(app).follow('/auth/oidc/login', noteCode);
  expect(wrong.landed).toBe('/login?error=provider-answer-not-valid');
  await provider.stop();
  await offer(app, provider, { acrValues: 'asked about itself anew' });
  await openBrowser(app).follow('/auth/oidc/login');

  const rows = await app.db.selectFrom('events').where('id', '>', since).selectAll().execute();
  const events = JSON.stringify(rows);
  const log = lines.join('');
  expect(log).toContain('a sign-in at the OpenID Connect provider failed');
  const session = browser.cookies.get('burgee-session') as string;
  const secrets = [clientSecret, 'canary-wrong-secret-77', session, ...codes];
  for (const secret of secrets) {
    for (const text of [...answers, events, log]) expect(text).not.toContain(secret);
  }
  // Nor any part of a token: each starts like this in base64.
  expect(log).not.toMatch(/eyJ[\w-]{10,}/);
  const stored = await app.db.selectFrom('settings').select(['value', 'secret']).execute();
  expect(JSON.stringify(stored.map(({ value }) => value))).not.toContain('canary');
  expect(stored.map(({ secret }) => secret?.toString('latin1')).join()).not.toContain('canary');
});
