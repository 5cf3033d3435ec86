import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { make } from '../../../../test/support/make.ts';
import { customRole, type Person, person } from '../../../../test/support/people.ts';
import { createToken, ensureTokens } from './index.ts';
import { resealTokens } from './reseal.ts';

const tokens = '/api/admin/api-tokens';
const ofShop = '/api/admin/projects/shop/api-tokens';
const key = Buffer.alloc(32, 7);
const newKey = Buffer.alloc(32, 8);

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
  await make(app.ask).project('shop');
  await make(app.ask).project('vault', { mode: 'protected' });
  await make(app.ask).project('secret', { mode: 'private' });
});

interface Token {
  readonly id: number;
  readonly secret: string;
}

async function newToken(payload: object, here = app): Promise<Token> {
  const input = { tokenName: 'readable', type: 'client', environment: 'development', ...payload };
  const response = await here.ask(`POST ${tokens}`, { payload: input });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
}

/** The secret of a token as this user sees it in a list. */
async function secretSeenBy(
  { ask }: Pick<Person, 'ask'>,
  { id }: Pick<Token, 'id'>,
  path = tokens,
): Promise<string | undefined> {
  const response = await ask(`GET ${path}`);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().tokens.find((token: Token) => token.id === id)?.secret;
}

const rowOf = ({ id }: Pick<Token, 'id'>, here = app) =>
  here.db.selectFrom('api_tokens').where('id', '=', id).selectAll().executeTakeFirstOrThrow();

const withRoot = async (names: readonly string[], roles: Record<string, number> = {}) =>
  person(app, {
    rootRole: await customRole(
      app,
      'root-custom',
      names.map((name) => ({ name })),
    ),
    roles,
  });

describe('the secret of a client or frontend token', () => {
  test.each(['client', 'frontend'])(
    'is shown to administrators in every list (%s token)',
    async (type) => {
      const token = await newToken({ type, project: 'shop' });
      for (const path of [tokens, `${tokens}/readable`, ofShop]) {
        expect(await secretSeenBy(app, token, path)).toBe(token.secret);
      }
    },
  );

  test('is shown to users who may create such a token and masked for users who may only read it', async () => {
    const client = await newToken({ project: 'shop' });
    const frontend = await newToken({ project: 'shop', type: 'frontend' });
    const read = ['READ_CLIENT_API_TOKEN', 'READ_FRONTEND_API_TOKEN'];
    const maker = await withRoot([...read, 'CREATE_CLIENT_API_TOKEN']);
    const reader = await withRoot(read);
    const editor = await person(app, { rootRole: 2 });
    const masked = 'shop:development.*****';
    expect(await secretSeenBy(maker, client)).toBe(client.secret);
    expect(await secretSeenBy(maker, frontend)).toBe(masked);
    for (const each of [reader, editor]) {
      expect(await secretSeenBy(each, client)).toBe(masked);
      expect(await secretSeenBy(each, frontend)).toBe(masked);
    }
  });

  test("is shown to owners and masked for members in the project's list", async () => {
    const token = await newToken({ project: 'shop' });
    const owner = await person(app, { roles: { shop: 4 } });
    const member = await person(app, { roles: { shop: 5 } });
    expect(await secretSeenBy(owner, token, ofShop)).toBe(token.secret);
    expect(await secretSeenBy(member, token, ofShop)).toBe('shop:development.*****');
  });

  test('is shown for a token of several projects only to users who may create tokens in all of them', async () => {
    const both = await newToken({ projects: ['shop', 'vault'] });
    const hidden = await newToken({ projects: ['shop', 'secret'] });
    const rights = ['READ_CLIENT_API_TOKEN', 'CREATE_CLIENT_API_TOKEN'];
    const outside = await withRoot(rights, { vault: 5 });
    const inside = await withRoot(rights, { vault: 4 });
    expect(await secretSeenBy(outside, both)).toBe('[]:development.*****');
    expect(await secretSeenBy(inside, both)).toBe(both.secret);
    const owner = await person(app, { roles: { shop: 4 } });
    expect(await secretSeenBy(owner, both, ofShop)).toBe('[]:development.*****');
    expect(await secretSeenBy(owner, hidden, ofShop)).toBe('[]:development.*****');
  });

  test('is encrypted for its own row: copied to another row, it cannot be decrypted', async () => {
    const [one, other] = [await newToken({ project: 'shop' }), await newToken({ project: 'shop' })];
    const { sealed_secret } = await rowOf(one);
    expect(sealed_secret?.includes(one.secret)).toBe(false);
    await app.db
      .updateTable('api_tokens')
      .set({ sealed_secret })
      .where('id', '=', other.id)
      .execute();
    expect(await secretSeenBy(app, other)).toBe('shop:development.*****');
  });

  test('is deleted with the token', async () => {
    const token = await newToken({ project: 'shop' });
    expect((await rowOf(token)).sealed_secret).not.toBeNull();
    const removed = await app.ask(`DELETE ${tokens}/${encodeURIComponent(token.secret)}`);
    expect(removed.statusCode).toBe(200);
    expect((await rowOf(token)).sealed_secret).toBeNull();
    const used = await app.ask('GET /api/client/features', {
      headers: { authorization: token.secret },
    });
    expect(used.statusCode).toBe(401);
  });

  test('is masked if only its hash is stored', async () => {
    const token = await app.transact(testActor, (tx) =>
      createToken(tx, {
        name: 'older',
        type: 'client',
        secret: '*:development.older',
        scope: { project: '*', environment: 'development' },
        origin: 'api',
      }),
    );
    expect(await secretSeenBy(app, token)).toBe('*:development.*****');
  });
});

test('the secret of an admin token is shown once and stored only as a hash', async () => {
  const response = await app.ask(`POST ${tokens}`, {
    payload: { tokenName: 'boss', type: 'admin' },
  });
  const token: Token = response.json();
  expect(await secretSeenBy(app, token)).toBe('*:*.*****');
  expect((await rowOf(token)).sealed_secret).toBeNull();
});

test('without an encryption key, tokens can be created and their secrets are shown once', async () => {
  const keyless = await testApp({ config: { encryptionKeys: [] } });
  const token = await newToken({}, keyless);
  expect(await secretSeenBy(keyless, token)).toBe('*:development.*****');
  const used = await keyless.ask('GET /api/client/features', {
    headers: { authorization: token.secret },
  });
  expect(used.statusCode).toBe(200);
});

test('re-encrypted secrets are readable with only the new key; secrets that no key decrypts stay masked', async () => {
  const here = await testApp();
  const token = await newToken({}, here);
  const lost = await appOn(here, { config: { encryptionKeys: [newKey] } });
  expect(await secretSeenBy(lost, token)).toBe('*:development.*****');
  const reseal = (...keys: Buffer[]) => here.transact(testActor, (tx) => resealTokens(tx, keys));
  expect(await reseal(newKey)).toBe(0);
  expect(await reseal(newKey, key)).toBe(1);
  expect(await reseal(newKey, key)).toBe(0);
  expect(await secretSeenBy(lost, token)).toBe(token.secret);
});

test('secrets of tokens from environment variables become readable, even if only their hash was stored before', async () => {
  const here = await testApp();
  const secret = '*:production.from-the-environment';
  const requested = { admin: [], client: [secret], frontend: [] };
  const ensure = (...keys: Buffer[]) =>
    here.transact(testActor, (tx) => ensureTokens(tx, requested, keys));
  const listed = async () => {
    const { tokens: all } = (await here.ask(`GET ${tokens}`)).json();
    return all
      .map((token: Token) => token.secret)
      .filter((each: string) => each.startsWith('*:prod'));
  };
  await ensure();
  expect(await listed()).toEqual(['*:production.*****']);
  await ensure(key);
  expect(await listed()).toEqual([secret]);
});
