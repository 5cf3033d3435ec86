import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { offer, oidcSettings } from '../../../../test/support/oidc/sign-in-through.ts';
import { customRole, person } from '../../../../test/support/people.ts';
import { raceRounds } from '../../../../test/support/random-cases.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { readSecret } from '../settings/index.ts';

const simple = '/api/admin/auth/simple/settings';
const id = 'unleash.enterprise.auth.oidc';
const issuer = 'https://login.example.com/realms/a';

let app: TestApp;
let settingsAtFirst: object;
beforeAll(async () => {
  app = await testApp();
  settingsAtFirst = await get();
});

const set = (payload: object, here = app) => here.ask(`POST ${oidcSettings}`, { payload });
const get = async (here = app) => (await here.ask(`GET ${oidcSettings}`)).json();
const pathsOf = (response: { json: () => { details: { path: string }[] } }) =>
  response.json().details.map(({ path }) => path);

describe('the settings of OpenID Connect', () => {
  test('are disabled by default', async () => {
    expect(settingsAtFirst).toEqual({
      enabled: false,
      autoCreate: false,
      enableGroupSyncing: false,
      addGroupsScope: false,
      enablePkce: true,
      defaultRootRole: 'Viewer',
      defaultRootRoleId: 3,
    });
  });

  test('drop unknown properties', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`key${n}`, 'x']));
    const response = await set({ clientId: 'known', ...unknown });
    expect(response.statusCode).toBe(200);
    const stored = await app.db
      .selectFrom('settings')
      .where('id', '=', 'unleash.enterprise.auth.oidc')
      .select('value')
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain('key7');
    expect(JSON.stringify(stored)).toContain('known');
    const { events } = (await app.ask('GET /api/admin/search/events?limit=1')).json();
    expect(JSON.stringify(events)).not.toContain('key7');
  });

  test('are returned completely, with the secret masked', async () => {
    const response = await set({
      enabled: true,
      discoverUrl: issuer,
      clientId: 'burgee',
      secret: 'canary-1',
      autoCreate: true,
      defaultRootRole: 'Editor',
      emailDomains: 'example.com,example.org',
      enableGroupSyncing: true,
      groupJsonPath: 'groups',
      acrValues: 'urn:strong',
      idTokenSigningAlgorithm: 'RS256',
    });
    const whole = {
      enabled: true,
      discoverUrl: issuer,
      clientId: 'burgee',
      secret: '*****',
      autoCreate: true,
      defaultRootRole: 'Editor',
      defaultRootRoleId: 2,
      emailDomains: 'example.com,example.org',
      enableGroupSyncing: true,
      groupJsonPath: 'groups',
      addGroupsScope: false,
      enablePkce: true,
      acrValues: 'urn:strong',
      idTokenSigningAlgorithm: 'RS256',
    };
    expect([response.statusCode, response.json()]).toEqual([200, whole]);
    expect(await get()).toEqual(whole);
  });

  test('keep the secret if it is missing, empty, null or masked', async () => {
    await offer(app, { issuer }, { secret: 'canary-2' });
    for (const secret of [undefined, '*****', '', null]) {
      expect((await set({ secret, clientId: 'burgee' })).statusCode).toBe(200);
      expect(await readSecret(app.db, [Buffer.alloc(32, 7)], id)).toBe('canary-2');
    }
    await set({ secret: 'canary-3' });
    expect(await readSecret(app.db, [Buffer.alloc(32, 7)], id)).toBe('canary-3');
  });

  test('are cleared by null or an empty string, and kept if missing', async () => {
    await offer(
      app,
      { issuer },
      { acrValues: 'x', emailDomains: 'a.example', defaultRootRoleId: 2 },
    );
    await set({ acrValues: null, emailDomains: '' });
    const after = await get();
    expect(after).toMatchObject({ clientId: 'burgee', defaultRootRoleId: 2 });
    expect(Object.keys(after)).not.toContain('acrValues');
    expect(Object.keys(after)).not.toContain('emailDomains');
    await set({ defaultRootRoleId: null });
    expect((await get()).defaultRootRole).toBe('Viewer');
  });

  test('treat 0 as no default role, as some clients send it', async () => {
    await offer(app, { issuer }, { defaultRootRoleId: 2 });
    expect((await set({ defaultRootRoleId: 0 })).statusCode).toBe(200);
    expect(await get()).toMatchObject({ defaultRootRole: 'Viewer', defaultRootRoleId: 3 });
    await set({ defaultRootRoleId: 0, defaultRootRole: 'Editor' });
    expect(await get()).toMatchObject({ defaultRootRoleId: 2 });
  });

  test('reject single sign-out, which is not supported', async () => {
    for (const enableSingleSignOut of [false, null]) {
      expect((await set({ enableSingleSignOut })).statusCode).toBe(200);
    }
    const refused = await set({ enableSingleSignOut: true });
    expect([refused.statusCode, pathsOf(refused)]).toEqual([400, ['/body/enableSingleSignOut']]);
    expect(Object.keys(await get())).not.toContain('enableSingleSignOut');
  });

  test('are cleared by spaces, including the secret', async () => {
    await offer(app, { issuer }, { secret: 'canary-blank' });
    const needed = await set({ secret: ' ' });
    expect([needed.statusCode, pathsOf(needed)]).toEqual([400, ['/body/secret']]);
    const emptied = await set({ enabled: false, clientId: ' ', secret: ' ' });
    expect(emptied.statusCode, emptied.body).toBe(200);
    expect(Object.keys(await get())).not.toContain('clientId');
    expect(await readSecret(app.db, [Buffer.alloc(32, 7)], id)).toBeUndefined();
  });

  test('record what changed without the secret, and nothing if nothing changes', async () => {
    await offer(app, { issuer }, { acrValues: null, autoCreate: false, secret: 'canary-4' });
    const response = await set({ acrValues: 'urn:new', autoCreate: true, secret: 'canary-5' });
    const recorded = await recordedBy(app.db, response);
    expect(recorded).toMatchObject([
      {
        type: 'setting-updated',
        data: {
          id,
          hideEventDetails: true,
          changed: ['acrValues', 'autoCreate', 'secret'],
          value: { acrValues: 'urn:new', autoCreate: true },
        },
        preData: { hideEventDetails: true, value: { autoCreate: false } },
      },
    ]);
    expect(JSON.stringify(recorded)).not.toContain('canary');
    const same = await set({ acrValues: 'urn:new', autoCreate: true, secret: 'canary-5' });
    expect([same.statusCode, await recordedBy(app.db, same)]).toEqual([200, []]);
    expect(await recordedBy(app.db, await set({}))).toEqual([]);
  });

  test('cannot be enabled while required properties are missing', async () => {
    const here = await testApp();
    const response = await set({ enabled: true, enableGroupSyncing: true }, here);
    expect([response.statusCode, pathsOf(response)]).toEqual([
      400,
      ['/body/discoverUrl', '/body/clientId', '/body/secret', '/body/groupJsonPath'],
    ]);
    expect((await get(here)).enabled).toBe(false);
    await offer(here, { issuer });
    expect(pathsOf(await set({ clientId: null }, here))).toEqual(['/body/clientId']);
  });

  test('do not repeat an invalid secret in the error', async () => {
    const canary = 'canary-of-the-wrong-form';
    for (const secret of [{ value: canary }, [canary], canary.padEnd(2001, 'x'), `${canary}\0`]) {
      const response = await set({ secret, enabled: 'yes' });
      expect([response.statusCode, pathsOf(response)]).toEqual([
        400,
        expect.arrayContaining(['/body/secret', '/body/enabled']),
      ]);
      expect(response.body).not.toContain('canary');
      expect(response.body).toContain('you sent \\"yes\\"');
    }
  });

  test('report all invalid properties together', async () => {
    const before = await countEvents(app.db);
    const response = await set({
      enabled: 'yes',
      discoverUrl: 'http://login.example.com',
      emailDomains: 'example.com, not a domain, x',
      groupJsonPath: 'a..b',
      idTokenSigningAlgorithm: 'HS256',
    });
    expect(response.statusCode).toBe(400);
    expect(new Set(pathsOf(response))).toEqual(
      new Set([
        '/body/enabled',
        '/body/discoverUrl',
        '/body/emailDomains',
        '/body/groupJsonPath',
        '/body/idTokenSigningAlgorithm',
      ]),
    );
    expect(await countEvents(app.db)).toBe(before);
  });

  test.each([
    ['https://login.example.com', 200],
    ['http://localhost:8080/realms/a', 200],
    ['http://127.0.0.1:8080', 200],
    ['http://[::1]:8080', 200],
    ['http://localhost.evil.example', 400],
    ['http://10.0.0.1', 400],
    ['https://ada:hunter2@login.example.com', 400],
    ['ftp://login.example.com', 400],
    ['login.example.com', 400],
  ])('with the provider %s return %i', async (discoverUrl, status) => {
    const response = await offer(app, { issuer: discoverUrl });
    expect(response.statusCode).toBe(status);
    expect(response.body).not.toContain('hunter2');
  });

  test('require a new secret for a provider on another host', async () => {
    await offer(app, { issuer });
    const other = await set({ discoverUrl: 'https://evil.example.com' });
    expect([other.statusCode, pathsOf(other)]).toEqual([400, ['/body/secret']]);
    expect((await set({ discoverUrl: 'https://login.example.com/realms/b' })).statusCode).toBe(200);
    const entered = await set({ discoverUrl: 'https://evil.example.com', secret: 'its-own' });
    expect(entered.statusCode).toBe(200);
    const cleared = await set({ enabled: false, discoverUrl: null });
    expect([cleared.statusCode, cleared.json().secret]).toEqual([200, undefined]);
    expect(await readSecret(app.db, [Buffer.alloc(32, 7)], id)).toBeUndefined();
    expect(pathsOf(await set({ enabled: true, discoverUrl: issuer }))).toEqual(['/body/secret']);
  });

  test('accept only a root role as the default role', async () => {
    for (const role of [{ defaultRootRole: 'Owner' }, { defaultRootRoleId: 4711 }]) {
      const response = await set(role);
      expect([response.statusCode, pathsOf(response)]).toEqual([
        400,
        [`/body/${Object.keys(role)[0]}`],
      ]);
    }
  });

  test('fall back to the Viewer role if the default role is deleted', async () => {
    const role = await customRole(app, 'root-custom', [{ name: 'CREATE_PROJECT' }]);
    expect((await set({ defaultRootRoleId: role })).json().defaultRootRoleId).toBe(role);
    expect((await app.ask(`DELETE /api/admin/roles/${role}`)).statusCode).toBe(200);
    expect((await get()).defaultRootRoleId).toBe(3);
  });

  test('can be read with UPDATE_AUTH_CONFIGURATION but changed by administrators only, because a provider can sign in anyone', async () => {
    const editor = await person(app, { rootRole: 2 });
    const role = await customRole(app, 'root-custom', [{ name: 'UPDATE_AUTH_CONFIGURATION' }]);
    const keeper = await person(app, { rootRole: role });
    expect((await editor.ask(`GET ${oidcSettings}`)).statusCode).toBe(403);
    expect((await keeper.ask(`GET ${oidcSettings}`)).statusCode).toBe(200);
    for (const { ask } of [editor, keeper]) {
      const refused = await ask(`POST ${oidcSettings}`, { payload: { acrValues: 'theirs' } });
      expect([refused.statusCode, refused.json().name]).toEqual([403, 'NoAccessError']);
    }
  });

  test('cannot be stored without an encryption key', async () => {
    const here = await testApp({ config: { encryptionKeys: [] } });
    const response = await offer(here, { issuer });
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('Set ENCRYPTION_KEY');
    expect((await get(here)).enabled).toBe(false);
    expect((await set({ enabled: false, clientId: 'later' }, here)).statusCode).toBe(200);
  });
});

describe('the setting for password sign-in', () => {
  const passwords = (disabled: unknown) =>
    app.ask(`POST ${simple}`, { payload: { disabled } as object });

  test('is enabled by default and can be disabled only while OpenID Connect is enabled', async () => {
    await set({ enabled: false });
    expect((await app.ask(`GET ${simple}`)).json()).toEqual({ disabled: false });
    const refused = await passwords(true);
    expect([refused.statusCode, refused.json().name]).toEqual([403, 'InvalidOperationError']);
    await offer(app, { issuer });
    const off = await passwords(true);
    expect([off.statusCode, off.json()]).toEqual([200, { disabled: true }]);
    expect((await app.ask(`GET ${simple}`)).json()).toEqual({ disabled: true });
    const asItIs = await app.ask(`POST ${simple}`, { payload: {} });
    expect([asItIs.statusCode, asItIs.json()]).toEqual([200, { disabled: true }]);
    expect((await app.ask('GET /api/admin/ui-config')).json().disablePasswordAuth).toBe(true);
    expect(await recordedBy(app.db, off)).toMatchObject([
      { type: 'setting-created', data: { id: 'unleash.auth.simple', disabled: true } },
    ]);

    const closing = await set({ enabled: false });
    expect([closing.statusCode, closing.json().name]).toEqual([403, 'InvalidOperationError']);
    expect((await get()).enabled).toBe(true);
    expect((await passwords(false)).json()).toEqual({ disabled: false });
    expect((await set({ enabled: false })).statusCode).toBe(200);
  });

  test('stays enabled, or OpenID Connect does, when both are disabled concurrently', async () => {
    for (let round = 0; round < raceRounds; round += 1) {
      await passwords(false);
      await offer(app, { issuer });
      const [byPassword, byProvider] = await Promise.all([
        passwords(true),
        set({ enabled: false }),
      ]);
      expect([byPassword.statusCode, byProvider.statusCode].sort()).toEqual([200, 403]);
    }
    await passwords(false);
  });

  test('requires UPDATE_AUTH_CONFIGURATION, and rejects values that are not booleans', async () => {
    const editor = await person(app, { rootRole: 2 });
    expect((await editor.ask(`GET ${simple}`)).statusCode).toBe(403);
    expect((await editor.ask(`POST ${simple}`, { payload: { disabled: false } })).statusCode).toBe(
      403,
    );
    const role = await customRole(app, 'root-custom', [{ name: 'UPDATE_AUTH_CONFIGURATION' }]);
    const keeper = await person(app, { rootRole: role });
    expect((await keeper.ask(`POST ${simple}`, { payload: { disabled: false } })).statusCode).toBe(
      200,
    );
    for (const wrong of [null, 'true']) {
      expect((await passwords(wrong)).statusCode).toBe(400);
    }
  });
});
