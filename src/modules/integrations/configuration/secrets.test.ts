import { describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { openIntegrations } from './open.ts';
import { resealIntegrations } from './reseal.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/canary-path';
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

const keyed = (keys: readonly Buffer[]) => testApp({ config: { encryptionKeys: keys } });
/** The same installation, restarted with other keys. */
const restarted = (app: TestApp, keys: readonly Buffer[]) =>
  appOn(app, { config: { encryptionKeys: keys } });

const webhook = (parameters: object, more: object = {}) => ({
  provider: 'webhook',
  enabled: false,
  parameters,
  events: ['feature-created'],
  ...more,
});
const post = (app: TestApp, parameters: object = { url }) =>
  app.ask(`POST ${addons}`, { payload: webhook(parameters) });
const put = (app: TestApp, id: number, parameters: object, more: object = {}) =>
  app.ask(`PUT ${addons}/${id}`, { payload: webhook(parameters, more) });

const open = async (app: TestApp, keys: readonly Buffer[], id: number) =>
  (await openIntegrations(app.db, keys)).find((each) => each.id === id);
const storedIn = async (app: TestApp, keys: readonly Buffer[], id: number) =>
  (await open(app, keys, id))?.parameters;

describe('a secret of an integration', () => {
  test('is encrypted for one integration only', async () => {
    const app = await keyed([newKey]);
    const made = await post(app, { url, authorization: 'Bearer canary', contentType: 'a/b' });
    const { id, generated } = made.json();
    expect(made.body).not.toContain('canary');
    expect(await open(app, [newKey], id)).toMatchObject({
      plain: { contentType: 'a/b' },
      parameters: {
        url,
        contentType: 'a/b',
        authorization: 'Bearer canary',
        signingSecret: generated.signingSecret,
      },
    });
    const row = await app.db
      .selectFrom('integrations')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.parameters).toEqual({ contentType: 'a/b' });
    expect(row.secret_names).toEqual(['authorization', 'signingSecret', 'url']);
    expect(row.secrets?.toString('latin1')).not.toContain('canary');

    const other = (await post(app)).json().id;
    await app.db
      .updateTable('integrations')
      .set({ secrets: row.secrets })
      .where('id', '=', other)
      .execute();
    expect(await open(app, [newKey], other)).toMatchObject({ parameters: undefined });
  });

  test('cannot be stored without ENCRYPTION_KEY, which the error mentions', async () => {
    const app = await keyed([]);
    const before = await countEvents(app.db);
    const response = await post(app);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('ENCRYPTION_KEY');
    expect((await app.ask(`GET ${addons}`)).json().addons).toEqual([]);
    expect(await countEvents(app.db)).toBe(before);
  });

  test('never appears in an event', async () => {
    const app = await keyed([newKey]);
    const { id, generated } = (await post(app)).json();
    await put(app, id, { url: `${url}/2` });
    await app.ask(`POST ${addons}/${id}/signing-secret`);
    await app.ask(`DELETE ${addons}/${id}`);
    const events = await app.db.selectFrom('events').selectAll().execute();
    expect(events.filter(({ type }) => type.startsWith('addon-config-'))).toHaveLength(4);
    expect(JSON.stringify(events)).not.toContain('canary');
    expect(JSON.stringify(events)).not.toContain(generated.signingSecret);
  });
});

describe('a rotation of encryption keys', () => {
  test('reads both keys, and only the new one is needed after encrypting everything again', async () => {
    const before = await keyed([oldKey]);
    const [first, second] = [(await post(before)).json().id, (await post(before)).json().id];
    const whole = await storedIn(before, [oldKey], first);
    expect(whole).toMatchObject({ url });

    const both = await restarted(before, [newKey, oldKey]);
    expect(await storedIn(both, [newKey, oldKey], first)).toEqual(whole);
    expect(await storedIn(both, [newKey], first)).toBeUndefined();
    const reseal = (keys: readonly Buffer[]) =>
      both.transact(testActor, (tx) => resealIntegrations(tx, keys));
    const events = await countEvents(both.db);
    expect(await reseal([newKey, oldKey])).toBe(2);
    expect(await reseal([newKey, oldKey])).toBe(0);
    expect(await countEvents(both.db)).toBe(events);

    const after = await restarted(before, [newKey]);
    expect(await storedIn(after, [newKey], first)).toEqual(whole);
    expect(await storedIn(after, [newKey], second)).toMatchObject({ url });
    expect(await storedIn(after, [oldKey], first)).toBeUndefined();
    const kept = await put(after, first, { url: '*****' }, { description: 'x' });
    expect(kept.statusCode, kept.body).toBe(200);
    expect(await storedIn(after, [newKey], first)).toEqual(whole);
  });

  test('encrypts everything that is saved with the new key, even if nothing changes', async () => {
    const before = await keyed([oldKey]);
    const { id } = (await post(before)).json();
    const both = await restarted(before, [newKey, oldKey]);
    const response = await put(both, id, { url: '*****' });
    expect([response.statusCode, await recordedBy(both.db, response)]).toEqual([200, []]);
    expect(await storedIn(both, [newKey], id)).toMatchObject({ url });
  });

  test('leaves secrets that no key can decrypt unchanged', async () => {
    const before = await keyed([oldKey]);
    const { id } = (await post(before)).json();
    expect(await before.transact(testActor, (tx) => resealIntegrations(tx, [newKey]))).toBe(0);
    expect(await storedIn(before, [oldKey], id)).toMatchObject({ url });
  });
});

describe('an integration with a lost encryption key', () => {
  const signing = '/body/parameters/signingSecret';
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

  async function withoutKey() {
    const before = await keyed([oldKey]);
    const { id } = (await post(before)).json();
    return { app: await restarted(before, [newKey]), id: id as number };
  }

  test('is listed, but cannot be used for deliveries', async () => {
    const { app, id } = await withoutKey();
    const shown = { url: '*****', signingSecret: '*****' };
    expect((await app.ask(`GET ${addons}`)).json().addons).toMatchObject([
      { id, parameters: shown },
    ]);
    expect(await open(app, [newKey], id)).toMatchObject({ id, plain: {}, parameters: undefined });
    const other = (await post(app)).json().id;
    expect(await storedIn(app, [newKey], other)).toMatchObject({ url });
  });

  test('does not keep masked secrets, and the error says why', async () => {
    const { app, id } = await withoutKey();
    const response = await put(app, id, { url: '*****' });
    expect([response.statusCode, pathsOf(response)]).toEqual([
      400,
      ['/body/parameters/url', signing],
    ]);
    expect(response.json().details[0].message).toContain('no longer in ENCRYPTION_KEY');
    const omitted = await put(app, id, { url });
    expect([omitted.statusCode, pathsOf(omitted)]).toEqual([400, [signing]]);
    const rotated = await app.ask(`POST ${addons}/${id}/signing-secret`);
    expect([rotated.statusCode, rotated.json().name]).toEqual([403, 'InvalidOperationError']);
  });

  test('works again when its secrets are entered', async () => {
    const { app, id } = await withoutKey();
    const response = await put(app, id, { url, signingSecret: secret });
    expect(response.statusCode, response.body).toBe(200);
    expect(await storedIn(app, [newKey], id)).toEqual({ url, signingSecret: secret });
    expect((await recordedBy(app.db, response))[0]?.data).toMatchObject({
      changedParameters: ['signingSecret', 'url'],
    });
    const second = await withoutKey();
    const without = await put(second.app, second.id, { url, signingSecret: '' });
    expect(without.statusCode, without.body).toBe(200);
    expect(await storedIn(second.app, [newKey], second.id)).toEqual({ url });
  });

  test('can be deleted', async () => {
    const { app, id } = await withoutKey();
    expect((await app.ask(`DELETE ${addons}/${id}`)).statusCode).toBe(200);
  });
});

describe('the signing secret of a webhook', () => {
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;

  test('is the one in the request, or generated if there is none', async () => {
    const app = await keyed([newKey]);
    const made = await post(app, { url, signingSecret: secretOf(1) });
    expect(made.json()).not.toHaveProperty('generated');
    expect(await storedIn(app, [newKey], made.json().id)).toMatchObject({
      signingSecret: secretOf(1),
    });
    const empty = await post(app, { url, signingSecret: '' });
    expect(empty.json().generated.signingSecret).toMatch(/^whsec_/);
  });

  test('can be rotated, is shown once, and the previous one remains valid until it is removed', async () => {
    const app = await keyed([newKey]);
    const { id, generated } = (await post(app, { url, authorization: 'Bearer canary' })).json();
    const response = await app.ask(`POST ${addons}/${id}/signing-secret`);
    const { signingSecret } = response.json();
    expect([response.statusCode, Object.keys(response.json())]).toEqual([200, ['signingSecret']]);
    expect(signingSecret).toMatch(/^whsec_[\w+/]{32}$/);
    const rotated = { signingSecret, previousSigningSecret: generated.signingSecret };
    const rest = { url, authorization: 'Bearer canary' };
    expect(await storedIn(app, [newKey], id)).toEqual({ ...rest, ...rotated });
    expect(await recordedBy(app.db, response)).toMatchObject([
      {
        type: 'addon-config-updated',
        data: { id, changedParameters: ['previousSigningSecret', 'signingSecret'] },
      },
    ]);
    const shown = (await app.ask(`GET ${addons}/${id}`)).json().parameters;
    expect([shown.signingSecret, shown.previousSigningSecret]).toEqual(['*****', '*****']);

    const kept = { url: '*****', authorization: '*****' };
    await put(app, id, kept, { description: 'a client that knows nothing of signing secrets' });
    expect(await storedIn(app, [newKey], id)).toEqual({ ...rest, ...rotated });
    await put(app, id, { ...kept, signingSecret: '*****', previousSigningSecret: '' });
    expect(await storedIn(app, [newKey], id)).toEqual({ ...rest, signingSecret });
  });

  test('can be generated for a webhook without one', async () => {
    const app = await keyed([newKey]);
    const { id } = (await post(app)).json();
    await put(app, id, { url: '*****', signingSecret: '' });
    expect(await storedIn(app, [newKey], id)).toEqual({ url });
    const { signingSecret } = (await app.ask(`POST ${addons}/${id}/signing-secret`)).json();
    expect(await storedIn(app, [newKey], id)).toEqual({ url, signingSecret });
  });

  test('cannot be generated for providers that do not sign', async () => {
    const app = await keyed([newKey]);
    const payload = {
      provider: 'datadog',
      enabled: false,
      parameters: { apiKey: 'a-key' },
      events: [],
    };
    const { id, generated } = (await app.ask(`POST ${addons}`, { payload })).json();
    expect(generated).toBeUndefined();
    const response = await app.ask(`POST ${addons}/${id}/signing-secret`);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(await storedIn(app, [newKey], id)).toEqual({ apiKey: 'a-key' });
  });
});

test('an integration with a provider of a later version is listed and kept, but not used', async () => {
  const app = await keyed([newKey]);
  const { id } = (await post(app)).json();
  await app.db
    .updateTable('integrations')
    .set({ provider: 'telegraph', parameters: '{"wire":"7"}' })
    .where('id', '=', id)
    .execute();
  expect((await app.ask(`GET ${addons}/${id}`)).json()).toMatchObject({
    provider: 'telegraph',
    parameters: { wire: '7', signingSecret: '*****', url: '*****' },
  });
  expect(await openIntegrations(app.db, [newKey])).toEqual([]);
  expect((await app.ask(`DELETE ${addons}/${id}`)).statusCode).toBe(200);
});
