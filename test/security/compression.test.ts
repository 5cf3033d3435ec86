import { gunzipSync } from 'node:zlib';
import type { TSchema } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { endpointsById } from '../../src/app/large-bodies/endpoints.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { closeLater } from '../support/closing.ts';
import { adminToken } from '../support/tokens.ts';

const gzip = { 'accept-encoding': 'gzip' };

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});

/** Every property of a schema and of the schemas in it, as [name, schema]. */
function* propertiesOf(schema: unknown): Generator<[string, TSchema]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  yield* Object.entries(properties);
  for (const part of Object.values(schema)) yield* propertiesOf(part);
}

/** Names of secrets: a token, or a link that lets someone in. */
const secretName = /(?:secret|token|inviteLink|passwordUrl)$/i;

const hasSecret = (response: unknown) =>
  [...propertiesOf(response)].some(
    ([name, { type }]: [string, { type?: unknown }]) =>
      secretName.test(name) && [type].flat().includes('string'),
  );

describe('a response with a secret', () => {
  const endpoints = [...endpointsById().values()];

  test('is marked in its contract, and no other one is', () => {
    const found = endpoints.filter(({ response }) => hasSecret(response)).map(({ id }) => id);
    const marked = endpoints.filter(({ secretInResponse }) => secretInResponse).map(({ id }) => id);
    expect(found.sort()).toEqual(marked.sort());
    expect(marked).toEqual(
      expect.arrayContaining(['createApiToken', 'createPat', 'createUser', 'createAddon']),
    );
  });

  test('is not compressed, however long it is', async () => {
    const created = await app.ask('POST /api/admin/api-tokens', {
      headers: gzip,
      payload: {
        tokenName: 'x'.repeat(255),
        alias: 'y'.repeat(255),
        type: 'client',
        environment: 'development',
        projects: ['*'],
      },
    });
    expect([created.statusCode, created.body.length > 1_024]).toEqual([201, true]);
    const list = await app.ask('GET /api/admin/api-tokens', { headers: gzip });
    expect(list.body).toContain(created.json().secret);
    for (const { headers } of [created, list]) {
      expect(headers).not.toHaveProperty('content-encoding');
    }
  });
});

describe('a response over 1 kB', () => {
  test('is compressed', async () => {
    const plain = await app.ask('GET /api/admin/permissions');
    const { headers, rawPayload } = await app.ask('GET /api/admin/permissions', { headers: gzip });
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(headers['content-length']).toBe(String(rawPayload.length));
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(String(gunzipSync(rawPayload))).toBe(plain.body);
  });

  test.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'is compressed as %s of the event log',
    async (accept) => {
      const url = 'GET /api/admin/search/events';
      const plain = await app.ask(url, { headers: { accept } });
      expect(plain.rawPayload.length).toBeGreaterThan(1_024);
      const { headers, rawPayload } = await app.ask(url, { headers: { accept, ...gzip } });
      expect(headers['content-encoding']).toBe('gzip');
      expect(String(gunzipSync(rawPayload))).toBe(plain.body);
    },
  );

  test('has a weak ETag, which is answered with 304 in both forms', async () => {
    const url = 'GET /api/admin/projects/default/status';
    const plain = await app.ask(url);
    const packed = await app.ask(url, { headers: gzip });
    expect(packed.headers.etag).toMatch(/^W\/"/);
    expect(packed.headers.etag).toBe(plain.headers.etag);
    for (const accepted of [gzip, {}]) {
      const known = { 'if-none-match': String(packed.headers.etag), ...accepted };
      const same = await app.ask(url, { headers: known });
      expect([same.statusCode, same.body]).toEqual([304, '']);
      expect(same.headers).not.toHaveProperty('content-encoding');
    }
  });
});

test('event streams are not compressed', async () => {
  const { app: server } = await testApp();
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const leaving = new AbortController();
  closeLater(async () => leaving.abort());
  const response = await fetch(`${url}/api/admin/search/events?after=0`, {
    headers: { authorization: adminToken, accept: 'text/event-stream', ...gzip },
    signal: leaving.signal,
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect(response.headers.get('content-encoding')).toBeNull();
  leaving.abort();
});
