import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createReadingClient,
  readTheirDefinition,
  readUnleash,
} from '../../src/modules/migration/index.ts';
import { closeLater } from '../support/closing.ts';
import { wholeDocument } from './document.ts';
import { command, countEvents, emptyInstallation, own } from './installation.ts';
import { replay } from './replay.ts';
import { adminToken } from './unleash.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/** A server that behaves like Unleash 8.2, except where `answer` responds. Counts the bytes that it sends. */
async function hostile(answer: Answer) {
  const honest = await replay('8.2');
  let [bytes, requests] = [0, 0];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests += 1;
    const { write } = response;
    response.write = ((chunk: Buffer) => {
      bytes += chunk.length;
      return write.call(response, chunk, 'utf8', () => undefined);
    }) as typeof write;
    if (answer(request, response, path)) return;
    const found = honest.recording.responses[path];
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeLater(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, sent: () => ({ bytes, requests }) };
}

const json = (response: ServerResponse, body: unknown): true => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
};

const limits = { responseBytes: 300_000, readingBytes: 1_000_000, responseMs: 600_000 };
const clientOf = (url: string, more: Partial<typeof limits> = {}) =>
  createReadingClient({
    ...{ url, token: adminToken, concurrency: 8, rate: 1000, pausesMs: [] },
    limits: { ...limits, ...more },
  });
const read = (url: string, more: Partial<typeof limits> = {}) =>
  readUnleash(clientOf(url, more), () => undefined, new Date());

const isSearch = (path: string) => path.startsWith('/api/admin/search/features');
const rows = (count: number, from: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...{ name: `f-${from + n}`, project: 'default', archivedAt: null, tags: [] },
  }));

test('an import stops reading a search whose pages repeat or never end', async () => {
  const same = await hostile(
    (_request, response, path) => isSearch(path) && json(response, { features: rows(100, 0) }),
  );
  await expect(read(same.url)).rejects.toThrow('its pages repeat endlessly');
  const other = await hostile((_request, response, path) => {
    if (!isSearch(path)) return false;
    const offset = Number(new URL(path, 'http://there').searchParams.get('offset'));
    return json(response, { features: rows(100, offset), total: 1e12 });
  });
  await expect(read(other.url)).rejects.toThrow('has more than 1000000 bytes to import');
});

test('an import stops reading a list of applications whose pages are nearly empty', async () => {
  const server = await hostile(
    (_request, response, path) =>
      path.startsWith('/api/admin/metrics/applications') &&
      json(response, { applications: [{ appName: 'one' }], total: 1e12 }),
  );
  await expect(read(server.url)).rejects.toThrow(
    "The list of applications couldn't be read without gaps",
  );
});

test('an import stops reading an endless response at a size limit and a slow one at a time limit', async () => {
  const endless = await hostile((_request, response, path) => {
    if (path !== '/api/admin/segments') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      response.once('drain', more);
    };
    more();
    return true;
  });
  await expect(read(endless.url)).rejects.toThrow('returned more than 300000 bytes');
  // Only what was in transit when the connection was closed.
  expect(endless.sent().bytes).toBeLessThan(20_000_000);

  const dripping = await hostile((_request, response, path) => {
    if (path !== '/api/admin/segments') return false;
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(' '), 20);
    response.once('close', () => clearInterval(timer));
    return true;
  });
  await expect(read(dripping.url, { responseMs: 300 })).rejects.toThrow(
    /Couldn't reach http:.*: its response takes too long/,
  );
});

test.each<[what: string, answer: Answer, message: string]>([
  [
    'nested too deeply',
    (_request, response) => json(response, `{"segments":${'['.repeat(100_000)}`),
    'is nested deeper than 100 levels',
  ],
  [
    'a list of another type',
    (_request, response) => json(response, { segments: 'none' }),
    'A response from Unleash has no segments',
  ],
  [
    'a redirect',
    (_request, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
      return true;
    },
    'responded to GET /api/admin/segments with 302',
  ],
])(
  'an import reports a response that is %s with a clear message',
  async (_what, answer, message) => {
    const server = await hostile(
      (request, response, path) =>
        path === '/api/admin/segments' && answer(request, response, path),
    );
    await expect(read(server.url)).rejects.toThrow(message);
  },
);

test.each([null, [], 7, { features: {} }, { features: [null] }, { features: [{ name: 1 }] }])(
  'an import rejects the invalid SDK definition %j',
  async (definition) => {
    const server = await hostile(
      (_request, response, path) => path === '/api/client/features' && json(response, definition),
    );
    await expect(readTheirDefinition(clientOf(server.url), 'development')).rejects.toThrow(
      "isn't a feature definition",
    );
  },
);

test('importing a file that is not a document prints one line, exits with 1, and changes nothing', async () => {
  const place = await emptyInstallation();
  const folder = mkdtempSync(join(tmpdir(), 'burgee-import-'));
  const file = join(folder, 'document.json');
  const before = await countEvents(place);
  const { features: _, ...incomplete } = wholeDocument();
  for (const content of ['', '{', '[]', '{}', '\0', '['.repeat(1000), JSON.stringify(incomplete)]) {
    writeFileSync(file, content);
    const { code, stdout, stderr } = await command(place, 'import', file);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
    expect(stderr).toContain(`${file} `);
  }
  expect(await command(place, 'import', join(folder, 'none'))).toMatchObject({
    ...{ code: 1, stderr: expect.stringContaining('none (ENOENT)') },
  });
  expect(await command(place, 'import', folder)).toMatchObject({ code: 1 });
  expect(await countEvents(place)).toBe(before);
});

test('a document with hostile contents is imported without them, and no escape codes are printed', async () => {
  const place = await emptyInstallation();
  const file = join(mkdtempSync(join(tmpdir(), 'burgee-import-')), 'document.json');
  const document = wholeDocument();
  const [parent] = document.features;
  if (!parent) throw new Error('The document has no features');
  const names = ['..', 'a/b', '\x1b[2Jforged', 'two\nlines'];
  const features = names.map((name) => ({ ...parent, name }));
  const tokens = document.tokens.map((token) => ({ ...token, projects: ['*'], secret: 'short' }));
  writeFileSync(
    file,
    JSON.stringify({ ...document, features: [...document.features, ...features], tokens }),
  );
  const { code, output } = await command(place, 'import', file);
  expect(code).toBe(0);
  expect(output).not.toContain('\x1b');
  expect(output).toContain("Skipped 4 features that the API doesn't accept");
  expect(output).toContain("'\\u{1b}[2Jforged', 'two\\nlines'");
  expect(output).toContain('Skipped 1 API token');
  const here = await own(place);
  expect(here.features.map(({ name }) => name)).toEqual(['checkout', 'parent']);
  expect(here.tokens).toEqual([]);
  // The import is complete: another run changes nothing.
  expect((await command(place, 'import', file)).stdout).toContain('0 resources created or updated');
});

test('an import of a list with only invalid items exits with 2 and prints no stack trace', async () => {
  const place = await emptyInstallation();
  const server = await hostile(
    (_request, response, path) =>
      path === '/api/admin/segments' && json(response, { segments: [[], null, 7] }),
  );
  const { code, stderr } = await command(place, 'import', 'unleash', '--url', server.url);
  expect([code, stderr]).toEqual([2, expect.not.stringContaining('    at ')]);
});
