import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { longJson, sendReadyJson } from './long-json.ts';

async function blocksOf(document: Parameters<typeof longJson>[0]): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of longJson(document)) blocks.push(block);
  return blocks;
}

test('long lists are sent in blocks that are the document together, and none of which is large', async () => {
  const items = Array.from({ length: 5_000 }, (_, nth) => ({
    name: `item-${nth}`,
    kind: 'simple',
    value: 'a "quoted" value',
  }));
  const document = { none: [], one: [{ id: 1, name: 's' }], items };
  const blocks = await blocksOf(document);
  expect(JSON.parse(blocks.join(''))).toEqual(document);
  expect(blocks.length).toBeGreaterThan(5);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(70_000);
});

test('empty lists are a document without anything', async () => {
  const document = { none: [], others: [] };
  expect(JSON.parse((await blocksOf(document)).join(''))).toEqual(document);
});

test('JSON that is ready is sent in blocks where it is long, and arrives as it is', async () => {
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
