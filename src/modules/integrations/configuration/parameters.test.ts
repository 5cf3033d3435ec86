import { beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../../test/support/app.ts';
import { pathsOf } from '../../../../test/support/faults.ts';
import { countEvents, recordedBy } from '../../../../test/support/recorded.ts';
import { openIntegrations } from './open.ts';

const addons = '/api/admin/addons';
const url = 'http://127.0.0.1:9/hook';
const keys = [Buffer.alloc(32, 7)];

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

const webhook = (parameters: object, more: object = {}) => ({
  provider: 'webhook',
  enabled: false,
  parameters,
  events: ['feature-created'],
  ...more,
});

const post = (parameters: object, more: object = {}) =>
  app.ask(`POST ${addons}`, { payload: webhook(parameters, more) });
const created = async (parameters: object): Promise<number> => (await post(parameters)).json().id;
const put = (id: number, parameters: object, more: object = {}) =>
  app.ask(`PUT ${addons}/${id}`, { payload: webhook(parameters, more) });

/** The stored parameters, decrypted. */
const storedIn = async (id: number) =>
  (await openIntegrations(app.db, keys)).find((each) => each.id === id)?.parameters;

const messagesOf = (response: { json: () => { details: { message: string }[] } }) =>
  response.json().details.map(({ message }) => message);

describe('an invalid parameter', () => {
  test('is reported together with all others: unknown, malformed, too long or missing', async () => {
    const response = await app.ask(`POST ${addons}`, {
      payload: {
        provider: 'new-relic',
        enabled: true,
        parameters: { 'ur/l': 'x', url: 'ftp://canary', bodyTemplate: 'canary'.repeat(2_000) },
        events: ['feature-created', 'feature-creatd'],
      },
    });
    expect([response.statusCode, pathsOf(response)]).toEqual([
      400,
      [
        '/body/parameters/ur~1l',
        '/body/parameters/url',
        '/body/parameters/bodyTemplate',
        '/body/parameters/licenseKey',
        '/body/events/1',
      ],
    ]);
    expect(messagesOf(response)[0]).toContain('new-relic, which supports licenseKey, url');
    expect(messagesOf(response)[4]).toMatch(/'feature-creatd'.*similar types are feature-created/);
    expect(response.body).not.toContain('canary');
  });

  test.each([
    'example.com',
    '/hook',
    'ftp://example.com',
    'https:example.com',
    'https://',
    'https://exa mple.com',
    ' https://example.com',
    'https://example.com/\nx',
    'javascript:alert(1)',
    `https://example.com/${'x'.repeat(2_000)}`,
  ])('is reported for the URL %j', async (address) => {
    const response = await post({ url: address });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/parameters/url']]);
  });

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/hook',
    'http://localhost:4242/hook',
    'HTTPS://User:password@Example.com:8443/hook?key=value#part',
  ])(
    'is not reported for %s, because the target is checked when something is sent',
    async (address) => {
      expect((await post({ url: address })).statusCode).toBe(201);
    },
  );

  test('is reported with the errors that the provider finds', async () => {
    const response = await post({ url, format: 'odd', signingSecret: 'canary' });
    expect([response.statusCode, pathsOf(response).sort()]).toEqual([
      400,
      ['/body/parameters/format', '/body/parameters/signingSecret'],
    ]);
    expect(messagesOf(response)).toContain(
      '/body/parameters/format: The value must be event or cloudevents.',
    );
    expect(response.body).not.toContain('canary');
    const id = await created({ url });
    expect(pathsOf(await put(id, { url: '*****', format: 'odd' }))).toEqual([
      '/body/parameters/format',
    ]);
  });

  test('of the wrong type is not repeated in the error', async () => {
    for (const parameters of [
      { url: ['canary'] },
      { url: { a: 'canary' } },
      'canary',
      ['canary'],
    ]) {
      const response = await post(parameters as object);
      expect(response.statusCode).toBe(400);
      expect(response.body).not.toContain('canary');
    }
  });

  test('is not checked for an unknown provider, which is reported instead', async () => {
    const response = await post({ url, odd: 1 }, { provider: 'carrier-pigeon' });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/provider']]);
    expect(response.json().message).toContain('webhook, ');
    const id = await created({ url });
    expect(pathsOf(await put(id, { url }, { provider: 'carrier-pigeon' }))).toEqual([
      '/body/provider',
    ]);
  });

  test('is reported if a property required by the reference is missing', async () => {
    for (const method of ['POST', 'PUT'] as const) {
      const line = method === 'POST' ? `POST ${addons}` : `PUT ${addons}/${await created({ url })}`;
      const response = await app.ask(line as `POST ${string}`, { payload: {} });
      expect(pathsOf(response).sort()).toEqual([
        '/body/enabled',
        '/body/events',
        '/body/parameters',
        '/body/provider',
      ]);
    }
  });

  test('is reported for * as an event type', async () => {
    const response = await post({ url }, { events: ['*'] });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/events/0']]);
  });

  test('is reported for a retention below one day or above ten years', async () => {
    for (const retentionDays of [0, 3651, 1.5, '30']) {
      const response = await post({ url }, { retentionDays });
      expect([retentionDays, pathsOf(response)]).toEqual([retentionDays, ['/body/retentionDays']]);
    }
  });

  test('changes and records nothing on an update', async () => {
    const id = await created({ url });
    const before = [await storedIn(id), await countEvents(app.db)];
    expect((await put(id, { url: 'nowhere' }, { description: 'other' })).statusCode).toBe(400);
    expect((await put(id, { url: `${url}/2` }, { projects: ['nowhere'] })).statusCode).toBe(400);
    expect([await storedIn(id), await countEvents(app.db)]).toEqual(before);
  });
});

describe('stored parameters', () => {
  test('contain numbers and booleans as text', async () => {
    const id = await created({ url, contentType: 'a/b', authorization: 42 });
    expect(await storedIn(id)).toMatchObject({ authorization: '42' });
    expect((await post({ url, bodyTemplate: true })).json().parameters.bodyTemplate).toBe('true');
  });

  test('omit empty values', async () => {
    const id = await created({ url, contentType: '', authorization: '', bodyTemplate: ' ' });
    expect(Object.keys((await storedIn(id)) ?? {}).sort()).toEqual(['signingSecret', 'url']);
  });
});

describe('updating parameters', () => {
  const whole = { url, contentType: 'text/plain', authorization: 'Bearer canary' };

  test('keeps a secret sent as stars, removes one sent empty and stores a new one', async () => {
    const id = await created(whole);
    const before = await storedIn(id);
    await put(id, { url: '*****', contentType: 'text/plain', authorization: '*****' });
    expect(await storedIn(id)).toEqual(before);
    await put(id, { url: '*****', contentType: '', authorization: 'Bearer other' });
    const { contentType, ...rest } = before ?? {};
    expect(await storedIn(id)).toEqual({ ...rest, authorization: 'Bearer other' });
    await put(id, { url: '*****', authorization: '' });
    const { authorization, ...least } = rest;
    expect(await storedIn(id)).toEqual(least);
    expect((await app.ask(`GET ${addons}/${id}`)).json().parameters).toEqual({
      url: '*****',
      signingSecret: '*****',
    });
  });

  test('rejects omitting or emptying a required parameter', async () => {
    const id = await created(whole);
    for (const parameters of [{}, { url: '' }, { url: '  ' }]) {
      const response = await put(id, parameters);
      expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/parameters/url']]);
    }
  });

  test('rejects stars for a secret that is not stored', async () => {
    const first = await post({ url: '*****', authorization: '*****', contentType: '*****' });
    expect([first.statusCode, pathsOf(first)]).toEqual([
      400,
      ['/body/parameters/url', '/body/parameters/authorization'],
    ]);
    const id = await created({ url });
    const later = await put(id, { url: '*****', authorization: '*****' });
    expect([later.statusCode, pathsOf(later)]).toEqual([400, ['/body/parameters/authorization']]);
    expect(later.json().message).toContain('no secret is stored');
  });

  test('requires secrets again if the URL changes', async () => {
    const id = await created({ ...whole, customHeaders: '{"X-Key":"canary-2"}' });
    const before = await storedIn(id);
    for (const address of [
      'http://127.0.0.1:10/hook',
      'https://127.0.0.1:9/hook',
      'http://elsewhere.example/hook',
      // Customers of a receiver may share an origin.
      `${url}/of-somebody-else`,
      `${url}?tenant=somebody-else`,
      url.replace('//', '//somebody-else@'),
    ]) {
      const response = await put(id, {
        url: address,
        authorization: '*****',
        customHeaders: '*****',
        signingSecret: '*****',
      });
      expect([response.statusCode, pathsOf(response)]).toEqual([
        400,
        ['/body/parameters/authorization', '/body/parameters/customHeaders'],
      ]);
      expect(response.json().details[0].message).toContain('must be entered again');
    }
    expect(await storedIn(id)).toEqual(before);
    const same = await put(id, { ...whole, url: `${url}#part`, authorization: '*****' });
    expect(same.statusCode, same.body).toBe(200);
    const moved = { url: 'http://elsewhere.example/hook', authorization: 'Bearer for-there' };
    expect((await put(id, moved)).statusCode).toBe(200);
    expect(await storedIn(id)).toEqual({ ...moved, signingSecret: before?.signingSecret });
  });

  test('requires secrets again if a URL replaces the default one', async () => {
    const datadog = (parameters: object) => webhook(parameters, { provider: 'datadog' });
    const made = await app.ask(`POST ${addons}`, { payload: datadog({ apiKey: 'canary-key' }) });
    expect(made.statusCode, made.body).toBe(201);
    const line = `PUT ${addons}/${made.json().id}` as const;
    const response = await app.ask(line, {
      payload: datadog({ apiKey: '*****', url: 'https://elsewhere.example/' }),
    });
    expect([response.statusCode, pathsOf(response)]).toEqual([400, ['/body/parameters/apiKey']]);
    const kept = await app.ask(line, { payload: datadog({ apiKey: '*****' }) });
    expect([kept.statusCode, await recordedBy(app.db, kept)]).toEqual([200, []]);
  });

  test('with another URL ends the wait requested by the previous receiver', async () => {
    const id = await created(whole);
    const heldUntil = new Date(Date.now() + 3_600_000);
    await app.db
      .updateTable('integrations')
      .set({ held_until: heldUntil })
      .where('id', '=', id)
      .execute();
    const kept = { ...whole, url: '*****', authorization: '*****' };
    const same = await put(id, kept, { description: 'x' });
    expect(same.json().delivery).toEqual({
      pending: 0,
      givenUp: 0,
      heldUntil: heldUntil.toISOString(),
    });
    const moved = await put(id, { ...whole, url: `${url}/2` });
    expect(moved.json().delivery).toEqual({ pending: 0, givenUp: 0 });
  });
});
