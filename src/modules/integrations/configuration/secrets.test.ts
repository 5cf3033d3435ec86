import { beforeAll, describe, expect, test } from 'vitest';
import { appOn, type TestApp, testActor, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { openIntegrations } from './open.ts';
import { resealIntegrations } from './reseal.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/canary-path';
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

/** One installation, with the new key, and as it was or will be started with others. */
let app: TestApp;
let withOldKey: TestApp;
let withBothKeys: TestApp;
let withoutKeys: TestApp;
beforeAll(async () => {
  app = await testApp({ config: { encryptionKeys: [newKey] } });
  const started = (encryptionKeys: readonly Buffer[]) => appOn(app, { config: { encryptionKeys } });
  withOldKey = await started([oldKey]);
  withBothKeys = await started([newKey, oldKey]);
  withoutKeys = await started([]);
});

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
    const list = async () => (await withoutKeys.ask(`GET ${addons}`)).json().addons;
    const before = [await countEvents(app.db), await list()];
    const response = await post(withoutKeys);
    expect([response.statusCode, response.json().name]).toEqual([403, 'InvalidOperationError']);
    expect(response.json().message).toContain('ENCRYPTION_KEY');
    expect([await countEvents(app.db), await list()]).toEqual(before);
  });

  test('never appears in an event', async () => {
    const { id, generated } = (await post(app)).json();
    await put(app, id, { url: `${url}/2` });
    await app.ask(`POST ${addons}/${id}/signing-secret`);
    await app.ask(`DELETE ${addons}/${id}`);
    const events = await app.db
      .selectFrom('events')
      .where('type', 'like', 'addon-config-%')
      .selectAll()
      .execute();
    const ofThisOne = events.filter(
      ({ data, pre_data }) => ((data ?? pre_data) as { id: number }).id === id,
    );
    expect(ofThisOne).toHaveLength(4);
    expect(JSON.stringify(events)).not.toContain('canary');
    expect(JSON.stringify(events)).not.toContain(generated.signingSecret);
  });
});

describe('a rotation of encryption keys', () => {
  const reseal = (keys: readonly Buffer[]) =>
    app.transact(testActor, (tx) => resealIntegrations(tx, keys));

  test('reads both keys, and only the new one is needed after encrypting everything again', async () => {
    // Those of other tests.
    await reseal([newKey, oldKey]);
    const [first, second] = [
      (await post(withOldKey)).json().id,
      (await post(withOldKey)).json().id,
    ];
    const whole = await storedIn(app, [oldKey], first);
    expect(whole).toMatchObject({ url });

    expect(await storedIn(app, [newKey, oldKey], first)).toEqual(whole);
    expect(await storedIn(app, [newKey], first)).toBeUndefined();
    const events = await countEvents(app.db);
    expect(await reseal([newKey, oldKey])).toBe(2);
    expect(await reseal([newKey, oldKey])).toBe(0);
    expect(await countEvents(app.db)).toBe(events);

    expect(await storedIn(app, [newKey], first)).toEqual(whole);
    expect(await storedIn(app, [newKey], second)).toMatchObject({ url });
    expect(await storedIn(app, [oldKey], first)).toBeUndefined();
    const kept = await put(app, first, { url: '*****' }, { description: 'x' });
    expect(kept.statusCode, kept.body).toBe(200);
    expect(await storedIn(app, [newKey], first)).toEqual(whole);
  });

  test('encrypts everything that is saved with the new key, even if nothing changes', async () => {
    const { id } = (await post(withOldKey)).json();
    const response = await put(withBothKeys, id, { url: '*****' });
    expect([response.statusCode, await recordedBy(app.db, response)]).toEqual([200, []]);
    expect(await storedIn(app, [newKey], id)).toMatchObject({ url });
  });

  test('leaves secrets that no key can decrypt unchanged', async () => {
    const { id } = (await post(withOldKey)).json();
    expect(await reseal([newKey])).toBe(0);
    expect(await storedIn(app, [oldKey], id)).toMatchObject({ url });
  });
});

describe('an integration with a lost encryption key', () => {
  const signing = '/body/parameters/signingSecret';
  const secret = `whsec_${Buffer.alloc(24, 5).toString('base64')}`;

  const withLostKey = async (): Promise<number> => (await post(withOldKey)).json().id;

  test('is listed, but cannot be used for deliveries', async () => {
    const id = await withLostKey();
    const shown = { url: '*****', signingSecret: '*****' };
    const { addons: listed } = (await app.ask(`GET ${addons}`)).json();
    expect(listed.find((each: { id: number }) => each.id === id)).toMatchObject({
      parameters: shown,
    });
    expect(await open(app, [newKey], id)).toMatchObject({ id, plain: {}, parameters: undefined });
    const other = (await post(app)).json().id;
    expect(await storedIn(app, [newKey], other)).toMatchObject({ url });
  });

  test('does not keep masked secrets, and the error says why', async () => {
    const id = await withLostKey();
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
    const id = await withLostKey();
    const response = await put(app, id, { url, signingSecret: secret });
    expect(response.statusCode, response.body).toBe(200);
    expect(await storedIn(app, [newKey], id)).toEqual({ url, signingSecret: secret });
    expect((await recordedBy(app.db, response))[0]?.data).toMatchObject({
      changedParameters: ['signingSecret', 'url'],
    });
    const second = await withLostKey();
    const without = await put(app, second, { url, signingSecret: '' });
    expect(without.statusCode, without.body).toBe(200);
    expect(await storedIn(app, [newKey], second)).toEqual({ url });
  });

  test('can be deleted', async () => {
    const id = await withLostKey();
    expect((await app.ask(`DELETE ${addons}/${id}`)).statusCode).toBe(200);
  });
});

describe('the signing secret of a webhook', () => {
  const secretOf = (byte: number) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`;

  test('is the one in the request, or generated if there is none', async () => {
    const made = await post(app, { url, signingSecret: secretOf(1) });
    expect(made.json()).not.toHaveProperty('generated');
    expect(await storedIn(app, [newKey], made.json().id)).toMatchObject({
      signingSecret: secretOf(1),
    });
    const empty = await post(app, { url, signingSecret: '' });
    expect(empty.json().generated.signingSecret).toMatch(/^whsec_/);
  });

  test('can be rotated, is shown once, and the previous one remains valid until it is removed', async () => {
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
    const { id } = (await post(app)).json();
    await put(app, id, { url: '*****', signingSecret: '' });
    expect(await storedIn(app, [newKey], id)).toEqual({ url });
    const { signingSecret } = (await app.ask(`POST ${addons}/${id}/signing-secret`)).json();
    expect(await storedIn(app, [newKey], id)).toEqual({ url, signingSecret });
  });

  test('cannot be generated for providers that do not sign', async () => {
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
  expect(await open(app, [newKey], id)).toBeUndefined();
  expect((await app.ask(`DELETE ${addons}/${id}`)).statusCode).toBe(200);
});
