import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { badData } from '../errors.ts';
import {
  inBatches,
  inBlocks,
  sendLongJson,
  sendReadyJson,
  streamJson,
  withList,
} from './long-json.ts';

const items = Array.from({ length: 5_000 }, (_, nth) => ({
  name: `item-${nth}`,
  kind: 'simple',
  value: 'a "quoted" value',
}));

test('a long list is sent in small blocks that form the complete document', async () => {
  const blocks: string[] = [];
  const pieces = withList(
    { id: 1 },
    'items',
    items.map((item) => JSON.stringify(item)),
  );
  for await (const block of inBlocks(pieces)) blocks.push(block);
  expect(JSON.parse(blocks.join(''))).toEqual({ id: 1, items });
  expect(blocks.length).toBeGreaterThan(5);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(70_000);
});

test.each([
  ['lists', { none: [], one: [{ id: 1, name: 's' }], items, others: [] }],
  ['empty lists', { none: [], others: [] }],
])('an object with %s is sent unchanged', async (_what, document) => {
  const app = Fastify();
  app.get('/', (_request, reply) => sendLongJson(reply, document));
  expect((await app.inject('/')).json()).toEqual(document);
});

test('an empty list as the only property is valid JSON', async () => {
  const app = Fastify();
  app.get('/', (_request, reply) => streamJson(reply, withList({}, 'items', [])));
  expect((await app.inject('/')).body).toBe('{"items":[]}');
});

test('a long string of JSON is sent in blocks and unchanged', async () => {
  const app = Fastify();
  // Characters of two UTF-16 units and four bytes, after one of one unit: some block boundary falls within a character.
  const long = JSON.stringify({ text: `x${'😀'.repeat(700_000)}` });
  app.get('/long', (_request, reply) => sendReadyJson(reply, long));
  app.get('/short', (_request, reply) => sendReadyJson(reply, '{}'));
  const answer = await app.inject('/long');
  expect(answer.headers['content-length']).toBeUndefined();
  expect(answer.body === long).toBe(true);
  const short = await app.inject('/short');
  expect([short.body, short.headers['content-length']]).toEqual(['{}', '2']);
});

/** A list of items of the same length, and a count of those that were read. */
function source(total: number, itemLength: number) {
  const limits: number[] = [];
  const item = JSON.stringify('x'.repeat(itemLength - 2));
  const read = async (from = 0, limit: number) => {
    limits.push(limit);
    const next = from + limit;
    return {
      items: Array.from({ length: Math.min(limit, total - from) }, () => item),
      next: next < total ? next : undefined,
    };
  };
  return { limits, item, read };
}

async function countItems(pieces: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of pieces) count += 1;
  return count;
}

test.each([
  ['short items', 10_000, 100, 500],
  ['features', 10_000, 2_048, 255],
  ['the largest segments', 30, 250_000, 2],
  ['items longer than a batch', 13, 600_000, 1],
])('%s are read completely, in batches of about 512 KB', async (_what, total, length, rows) => {
  const { limits, read } = source(total, length);
  expect(await countItems(inBatches<number>(read, 10))).toBe(total);
  expect(Math.max(...limits.slice(1))).toBe(rows);
});

test('a batch without items is followed by the next one', async () => {
  const batches = [
    { items: [], next: 1 },
    { items: ['1'], next: undefined },
  ];
  expect(await countItems(inBatches<number>(async (nth = 0) => batches[nth] as never, 10))).toBe(1);
});

test('only one batch more than the client takes is read ahead', async () => {
  const { limits, read } = source(1_000_000, 2_048);
  const blocks = inBlocks(withList({}, 'items', inBatches<number>(read, 100)));
  for (let taken = 0; taken < 40; taken += 1) await blocks.next();
  await blocks.return(undefined);
  // 40 blocks of 64 KiB are 1,260 items.
  expect(limits).toEqual([100, 255, 255, 255, 255, 255, 255]);
});

test('an error before the first byte is returned, and a short response has a Content-Length', async () => {
  const app = Fastify();
  const fails = async () => {
    throw badData([{ message: 'no' }]);
  };
  app.get('/fails', (_request, reply) =>
    streamJson(reply, withList({}, 'items', inBatches<number>(fails, 10))),
  );
  app.get('/short', (_request, reply) =>
    streamJson(reply, withList({}, 'items', inBatches<number>(source(2, 4).read, 10))),
  );
  app.setErrorHandler((error, _request, reply) =>
    reply.status((error as { status?: number }).status ?? 500).send({ name: 'an error' }),
  );
  const failed = await app.inject('/fails');
  expect([failed.statusCode, failed.json()]).toEqual([400, { name: 'an error' }]);
  const short = await app.inject('/short');
  expect([short.body, short.headers['content-length']]).toEqual(['{"items":["xx","xx"]}', '21']);
});
