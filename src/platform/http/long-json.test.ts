import { expect, test } from 'vitest';
import { longJson } from './long-json.ts';

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
