import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { person } from '../../../../test/support/people.ts';
import { adminToken, clientToken, frontendToken } from '../../../../test/support/tokens.ts';

let app: TestApp;
let aheadMs = 0;
beforeAll(async () => {
  app = await testApp({ clock: () => new Date(Date.now() + aheadMs) });
  await make(app.ask).project('shop');
});

const nobody = { authorization: '' };
const validate = (tokens: unknown) =>
  app.ask('POST /edge/validate', { headers: nobody, payload: { tokens } as object });

const newToken = async (more: object = {}): Promise<{ id: number; secret: string }> =>
  (
    await app.ask('POST /api/admin/api-tokens', {
      payload: {
        tokenName: 'validated',
        type: 'client',
        environment: 'development',
        projects: ['shop', 'default'],
        ...more,
      },
    })
  ).json();

describe('validating token secrets', () => {
  test('returns type, environment and projects of each token once, without an Authorization header', async () => {
    const { secret } = await newToken();
    const response = await validate([secret, clientToken, secret, frontendToken, adminToken]);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      tokens: [
        {
          token: secret,
          type: 'client',
          environment: 'development',
          projects: ['shop', 'default'],
        },
        { token: clientToken, type: 'client', environment: 'development', projects: ['*'] },
        { token: frontendToken, type: 'frontend', environment: 'development', projects: ['*'] },
        { token: adminToken, type: 'admin', environment: null, projects: ['*'] },
      ],
    });
  });

  test('omits unknown, revoked, expired and personal tokens', async () => {
    const revoked = await newToken();
    await app.ask(`DELETE /api/admin/api-tokens/${revoked.id}`);
    const expired = await newToken({
      expiresAt: new Date(Date.now() + aheadMs + 600_000).toISOString(),
    });
    aheadMs += 601_000;
    const { token } = await person(app, { rootRole: 1 });
    const response = await validate([
      '*:development.nosuch',
      '',
      revoked.secret,
      expired.secret,
      token,
    ]);
    expect(response.json()).toEqual({ tokens: [] });
    expect((await validate([])).json()).toEqual({ tokens: [] });
  });

  test('accepts 1,000 tokens at once', async () => {
    const unknown = Array.from({ length: 999 }, (_, index) => `*:development.${index}`);
    expect((await validate([...unknown, clientToken])).json().tokens).toHaveLength(1);
  });

  test('works during maintenance', async () => {
    const closing = (enabled: boolean) =>
      app.ask('POST /api/admin/maintenance', { payload: { enabled } });
    expect((await closing(true)).statusCode).toBeLessThan(300);
    expect((await validate([clientToken])).json().tokens).toHaveLength(1);
    await closing(false);
  });
});

describe('an invalid validation request', () => {
  test.each([
    [undefined, '/body/tokens'],
    ['one', '/body/tokens'],
    [[1], '/body/tokens/0'],
    [Array.from({ length: 10_001 }, () => 'x'), '/body/tokens'],
  ])('gets an error that does not repeat the input (%#)', async (tokens, path) => {
    const response = await validate(tokens);
    expect(response.statusCode).toBe(400);
    expect(response.json().details[0].path).toBe(path);
    expect(response.body).not.toContain('you sent');
  });

  test('gets 415 if it is not JSON', async () => {
    const response = await app.ask('POST /edge/validate', {
      headers: { ...nobody, 'content-type': 'text/plain' },
      payload: 'tokens',
    });
    expect(response.statusCode).toBe(415);
  });
});
