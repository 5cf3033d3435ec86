import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import {
  clientSecret,
  listenHere,
  startProvider,
  type TestProvider,
} from '../../../../test/support/oidc/provider.ts';
import { offer, oidcSettings } from '../../../../test/support/oidc/sign-in-through.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { countEvents } from '../../../../test/support/recorded.ts';

let app: TestApp;
let provider: TestProvider;
beforeAll(async () => {
  app = await testApp();
  provider = await startProvider();
});

const tried = async (payload: object = {}) => {
  const response = await app.ask(`POST ${oidcSettings}/test`, { payload });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const resultsOf = ({ findings }: { findings: { result: string }[] }) =>
  findings.map(({ result }) => result);

describe('testing the OpenID Connect settings', () => {
  test('reports a missing issuer URL', async () => {
    const { issuer, findings } = await tried();
    expect([issuer, findings]).toEqual([
      null,
      [{ result: 'failed', message: 'Issuer URL missing' }],
    ]);
  });

  test('reports what an unsaved provider supports and which settings are missing', async () => {
    const answer = await tried({ discoverUrl: provider.issuer, enablePkce: true });
    expect(answer).toMatchObject({
      redirectUri: 'http://localhost:4242/auth/oidc/callback',
      issuer: provider.issuer,
    });
    expect(answer.findings).toEqual([
      { result: 'passed', message: `Connected to ${provider.issuer}` },
      { result: 'passed', message: 'Supports the authorization code flow' },
      { result: 'passed', message: '1 signing key found' },
      { result: 'passed', message: expect.stringContaining('RS256') },
      { result: 'passed', message: 'Supports PKCE' },
      { result: 'doubtful', message: 'Client ID missing' },
      { result: 'doubtful', message: 'Client secret missing' },
    ]);
  });

  test('does not report unsaved client ID and secret as missing', async () => {
    const known = { hasClientId: true, hasSecret: true };
    const answer = await tried({ discoverUrl: provider.issuer, ...known });
    expect(new Set(resultsOf(answer))).toEqual(new Set(['passed']));
  });

  test('uses the stored settings, records nothing and does not reveal the secret', async () => {
    await offer(app, provider, { addGroupsScope: true });
    const before = await countEvents(app.db);
    const answer = await tried();
    expect(new Set(resultsOf(answer))).toEqual(new Set(['passed']));
    expect(JSON.stringify(answer)).not.toContain(clientSecret);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('reports a signing algorithm that the provider does not support', async () => {
    const { findings } = await tried({ idTokenSigningAlgorithm: 'ES512' });
    expect(findings).toContainEqual({
      result: 'failed',
      message: expect.stringMatching(
        /^Signing algorithm ES512 isn't supported\. Supported: .*RS256/,
      ),
    });
  });

  test('reports why the provider cannot be used', async () => {
    const { url } = await listenHere((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":"https://x"}'),
    );
    const { url: gone, stop } = await listenHere((_request, response) => response.end());
    await stop();
    const messageOf = async (discoverUrl: string) =>
      (await tried({ discoverUrl })).findings[0].message;
    expect(await messageOf(url)).toBe('Issuer mismatch: the provider reports a different issuer');
    expect(await messageOf(gone)).toContain("Couldn't reach the provider");
    const page = await listenHere((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>canary page</p>'),
    );
    expect(await messageOf(page.url)).toMatch(/^No OpenID configuration found at this URL: /);
    expect(await messageOf(page.url)).not.toContain('canary');
  });

  test('requires an administrator, because it sends requests to the network', async () => {
    const role = await customRole(app, 'root-custom', [{ name: 'UPDATE_AUTH_CONFIGURATION' }]);
    const { ask } = await person(app, { rootRole: role });
    const payload = { discoverUrl: provider.issuer };
    expect((await ask(`POST ${oidcSettings}/test`, { payload })).statusCode).toBe(403);
    const plain = await app.ask(`POST ${oidcSettings}/test`, {
      payload: { discoverUrl: 'http://example.com' },
    });
    expect(plain.statusCode).toBe(400);
  });
});
