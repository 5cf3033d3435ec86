import { gunzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { closeLater } from '../../../test/support/closing.ts';
import { constantJson } from './constant-json.ts';

function server() {
  let rendered = 0;
  const app = Fastify();
  app.get(
    '/document',
    constantJson(() => {
      rendered += 1;
      return { text: 'x'.repeat(10_000) };
    }),
  );
  closeLater(() => app.close());
  const get = (headers: Record<string, string> = {}) => app.inject({ url: '/document', headers });
  return { get, rendered: () => rendered };
}

test('a constant document is rendered once for all concurrent requests', async () => {
  const { get, rendered } = server();
  const all = await Promise.all(Array.from({ length: 50 }, () => get()));
  expect(new Set(all.map(({ body }) => body)).size).toBe(1);
  expect(rendered()).toBe(1);
});

test('a constant document is compressed if the client accepts gzip, and has an ETag', async () => {
  const { get } = server();
  const plain = await get();
  const packed = await get({ 'accept-encoding': 'gzip' });
  expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body);
  expect(packed.rawPayload.length).toBeLessThan(1_000);
  const known = await get({ 'if-none-match': String(packed.headers.etag) });
  expect([known.statusCode, known.body]).toEqual([304, '']);
});
