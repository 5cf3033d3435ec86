import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { modules } from '../../src/app/modules.ts';
import type { Endpoint } from '../../src/platform/contract/endpoint.ts';
import { type TestApp, testActor, testApp } from '../support/app.ts';
import { randomCases } from '../support/random-cases.ts';
import { adminToken } from '../support/tokens.ts';

let app: TestApp;
let port: number;
let aheadMs = 0;

beforeAll(async () => {
  app = await testApp({ clock: () => new Date(Date.now() + aheadMs) });
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.app.server.address() as AddressInfo).port;
});

const shape = {
  id: expect.stringMatching(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  ),
  name: expect.stringMatching(/^[A-Z]\w+$/),
  message: expect.stringMatching(/./),
  details: expect.any(Array),
};

const post = (payload: string, contentType?: string) =>
  app.ask('POST /api/admin/projects', {
    payload,
    ...(contentType === undefined ? {} : { headers: { 'content-type': contentType } }),
  });

describe('7 Errors: content type and body', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/vnd.api+json',
    'application/json-patch+json',
  ])('rejects a body of type %s with 415 ContentTypeerror', async (contentType) => {
    const response = await post('name=x', contentType);
    expect(response.statusCode).toBe(415);
    expect(response.json()).toEqual({ ...shape, name: 'ContentTypeerror' });
  });

  test('rejects a body without a content type with 415', async () => {
    const response = await raw(
      `POST /api/admin/projects HTTP/1.1\r\nhost: x\r\nauthorization: ${adminToken}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    );
    expect(response.status).toBe(415);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  ])('accepts %s as JSON', async (contentType) => {
    expect((await post('{"name":5}', contentType)).statusCode).toBe(400);
  });

  test('rejects an empty JSON body with 400 where one is required', async () => {
    const response = await post('', 'application/json');
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([{ path: '/body', message: expect.any(String) }]);
  });

  test('never rejects a write without a body with 415', async () => {
    expect((await app.ask('DELETE /api/admin/projects/nowhere')).statusCode).toBe(404);
    expect(
      (
        await app.ask('DELETE /api/admin/projects/nowhere', {
          headers: { 'content-type': 'application/json' },
        })
      ).statusCode,
    ).toBe(404);
  });

  test.each(['{', '{"name":}', '[1,]', 'nonsense', '{"__proto__":{"a":1}}', '\ufeff{'])(
    'rejects the invalid JSON %j with 400',
    async (body) => {
      const response = await post(body, 'application/json');
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual({ ...shape, name: 'BadDataError' });
    },
  );

  test('reports all validation errors at once, at most twenty', async () => {
    const response = await post(
      '{"name":5,"description":6,"mode":"odd","featureLimit":-1}',
      'application/json',
    );
    const paths = response.json().details.map(({ path }: { path: string }) => path);
    expect(paths.sort()).toEqual([
      '/body/description',
      '/body/featureLimit',
      '/body/mode',
      '/body/name',
    ]);
    const many = JSON.stringify({ name: 'x', environments: Array.from({ length: 500 }, () => 5) });
    expect((await post(many, 'application/json')).json().details).toHaveLength(20);
  });

  test('reports a megabyte of validation errors as 400, without a stack overflow', async () => {
    const many = JSON.stringify({
      name: 'x',
      environments: Array.from({ length: 400_000 }, () => 1),
    });
    expect((await post(many, 'application/json')).statusCode).toBe(400);
  });

  test('rejects an endless body of another type at its first byte', async () => {
    const response = await raw(
      `POST /api/admin/projects HTTP/1.1\r\nhost: x\r\nauthorization: ${adminToken}\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    );
    expect(response.status).toBe(415);
  });

  test('rejects NUL and lone surrogates anywhere with 400', async () => {
    for (const body of ['{"name":"a\\u0000b"}', '{"name":"\\ud800"}', '{"name":"x","\\u0000":1}']) {
      expect((await post(body, 'application/json')).statusCode, body).toBe(400);
    }
    expect((await app.ask('GET /api/admin/search/events?query=a%00b')).statusCode).toBe(400);
    expect((await app.ask('GET /api/admin/events/a%00b')).statusCode).toBe(400);
    expect((await app.ask('GET /api/admin/projects/a%00b/overview')).statusCode).toBe(400);
  });

  test('rejects a body with a hundred thousand levels of nesting with 400', async () => {
    const deep = `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await post(deep, 'application/json')).statusCode).toBe(400);
  });
});

describe('7 Errors: paths', () => {
  test('returns 404 NotFoundError for an unknown path, before its body is read', async () => {
    const response = await app.ask('POST /api/admin/nothing', {
      payload: '{broken',
      headers: { 'content-type': 'text/plain' },
    });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({ ...shape, name: 'NotFoundError' });
    expect((await app.app.inject({ url: '/elsewhere' })).json()).toEqual({
      ...shape,
      name: 'NotFoundError',
    });
  });

  test('returns 404 for a method that the path does not support', async () => {
    expect((await app.ask('DELETE /api/admin/search/events')).statusCode).toBe(404);
  });

  test('ignores a trailing slash and doubled slashes', async () => {
    expect((await app.ask('GET /api/admin/search/events/')).statusCode).toBe(200);
    expect((await app.ask('GET /api//admin/search//events')).statusCode).toBe(200);
  });

  test.each([
    '/api/admin/events/%',
    '/api/admin/events/%zz',
    '/%e0%a4%a',
    `/api/admin/events/${'x'.repeat(2000)}`,
  ])('returns an error in the standard format for %s', async (path) => {
    const response = await app.app.inject({ url: path, headers: { authorization: adminToken } });
    expect([400, 404, 414]).toContain(response.statusCode);
    expect(response.json()).toEqual(shape);
  });
});

interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

const raw = (text: string): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), body: body.join('\r\n\r\n') });
    });
  });

describe('7 Errors: invalid HTTP', () => {
  test('rejects headers of 20 kB with 431 in the standard error format', async () => {
    const { status, body } = await raw(
      `GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(20_000)}\r\n\r\n`,
    );
    expect(status).toBe(431);
    expect(JSON.parse(body)).toEqual(shape);
  });

  test('rejects bytes that are not HTTP with 400 in the standard error format', async () => {
    const { status, body } = await raw('hello\r\n\r\n');
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual(shape);
  });
});

describe('7 Errors: outside the API', () => {
  test.each([
    '/docs/openapi/static/%2e%2e%2fpackage.json',
    '/docs/openapi/static/nothing.js',
    '/docs/openapi/static/a%00b',
    '/favicon.ico',
  ])('returns 404 for %s in the standard error format', async (url) => {
    const response = await app.app.inject({ url });
    expect(response.statusCode, response.body).toBe(404);
    expect(response.json()).toEqual({ ...shape, name: 'NotFoundError' });
  });

  test('requires authentication before it rejects a malformed path', async () => {
    expect((await app.app.inject({ url: '/api/admin/events/%zz' })).statusCode).toBe(401);
  });
});

describe('7 Errors: no 500', () => {
  test.each([
    'createdAfter=9999-12-31T12:00:00Z',
    'createdBefore=0001-01-01T00:00:00Z',
    'createdAfter=0001-01-01T00:00:00%2B10:00',
    'createdBefore=9999-12-31T23:59:59-10:00',
    'from=IS:0001-01-01&to=IS:9999-12-31',
  ])('accepts dates at the limits of the calendar: %s', async (parameters) => {
    expect((await app.ask(`GET /api/admin/search/events?${parameters}`)).statusCode).toBe(200);
  });

  test('a connection lost inside a transaction fails the request, not the server', async () => {
    const lonely = await testApp();
    const work = lonely.transact(testActor, async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.db);
      const pid = rows[0]?.pid;
      await sql`select pg_terminate_backend(${pid})`.execute(app.db);
      const connections = () =>
        sql`select from pg_stat_activity where pid = ${pid}`.execute(app.db);
      await expect.poll(async () => (await connections()).rows).toEqual([]);
      await sql`select 1`.execute(tx.db);
    });
    await expect(work).rejects.toThrow();
    const ready = async () => (await lonely.ask('GET /ready?database=true')).statusCode;
    await expect.poll(ready).toBe(200);
  });

  const endpoints: Endpoint[] = modules.flatMap(
    ({ contract }) => Object.values(contract) as Endpoint[],
  );
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '',
      '\0',
      '.',
      '..',
      'default',
      '%',
      "'",
      '"; drop table events; --',
      '\\',
      '-1',
      '1e309',
      'NaN',
      'null',
      '__proto__',
      'constructor',
      '\u{10FFFF}',
      '🚀',
      'IS:x',
      'IS:2026-99-99',
      'IS_ANY_OF:,,',
      '0'.repeat(300),
    ),
  );
  const namesIn = (schema: unknown): string[] =>
    Object.keys((schema as { properties?: object } | undefined)?.properties ?? {});
  const jsonFor = ({ body }: Endpoint) =>
    fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.constantFrom(...namesIn(body), 'id', 'name', '__proto__'),
        fc.oneof(odd, fc.jsonValue()),
        { noNullPrototype: true },
      ),
    );
  const headerText = fc.string().map((text) => text.replace(/[^\x20-\x7e]/g, '?'));

  const requestTo = (endpoint: Endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      values: fc.infiniteStream(odd),
      query: fc.dictionary(
        fc.constantFrom(...namesIn(endpoint.query), 'limit', 'offset', 'other'),
        odd,
        { noNullPrototype: true },
      ),
      body: fc.option(jsonFor(endpoint)),
      contentType: fc.constantFrom(
        'application/json',
        'application/json',
        'application/json',
        'text/plain',
        '',
      ),
      headers: fc.dictionary(
        fc.constantFrom(
          'accept',
          'x-request-id',
          'if-none-match',
          'range',
          'x-forwarded-for',
          'accept-encoding',
          'expect',
        ),
        headerText,
        { noNullPrototype: true },
      ),
    });
  const request = fc
    .constantFrom(...endpoints.filter(({ permission }) => permission !== 'public'))
    .chain(requestTo);

  const encode = (text: string) => encodeURIComponent(text.toWellFormed());

  test('random requests to every route never return 500, and every error has the standard format', async () => {
    await fc.assert(
      fc.asyncProperty(request, async ({ endpoint, values, query, body, contentType, headers }) => {
        // All are from the same account, whose own changes are limited to ten per minute.
        aheadMs += 6_000;
        const path = endpoint.path.replace(/:\w+/g, () => encode(String(values.next().value)));
        const parameters = Object.entries(query).map(([name, value]) => `${name}=${encode(value)}`);
        const { accept, ...others } = headers;
        const response = await app.app.inject({
          method: endpoint.method,
          url: `${path}?${parameters.join('&')}`,
          // A live event stream does not end.
          headers: {
            authorization: adminToken,
            ...others,
            ...(accept?.includes('event-stream') || endpoint.id === 'getClientStream'
              ? { accept: 'application/json' }
              : { accept: accept ?? '*/*' }),
            ...(body === null || contentType === '' ? {} : { 'content-type': contentType }),
          },
          ...(body === null ? {} : { payload: JSON.stringify(body) }),
        });
        expect(response.statusCode, `${endpoint.method} ${path} ${response.body}`).toBeLessThan(
          500,
        );
        // OpenFeature's protocol adds its own fields to errors.
        const isOpenFeature = endpoint.path.startsWith('/ofrep/');
        if (response.statusCode >= 400) {
          expect(response.json()).toEqual(isOpenFeature ? expect.objectContaining(shape) : shape);
        }
        expect(response.body).not.toMatch(/\bselect\b.*\bfrom\b|at \w+ \(|node_modules/i);
      }),
      randomCases(50, 6000),
    );
  });

  test('returns 503 with Retry-After while the database is down, and logs the cause only', async () => {
    const lonely = await testApp();
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      lonely.db,
    );
    const name = rows[0]?.name;
    await lonely.db.destroy();
    // In this order: a connection opened between the two would survive.
    await sql.raw(`alter database "${name}" allow_connections false`).execute(app.db);
    await sql
      .raw(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
      .execute(app.db);
    const response = await lonely.ask('GET /api/admin/search/events');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({ ...shape, name: 'UnavailableError' });
    expect(response.headers['retry-after']).toBe('5');
    expect((await lonely.ask('GET /health')).statusCode).toBe(200);
    // It has not read a snapshot yet, so it cannot serve SDKs.
    const ready = await lonely.ask('GET /ready');
    expect([ready.statusCode, ready.json().message]).toEqual([
      503,
      "The snapshot for SDKs hasn't been read yet",
    ]);
  });
});
