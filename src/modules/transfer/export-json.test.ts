import { expect, test } from 'vitest';
import type { ExportDocument } from './contract/document.ts';
import { exportJson } from './service/export-json.ts';

const empty: ExportDocument = {
  ...{ features: [], featureStrategies: [], featureEnvironments: [], contextFields: [] },
  ...{ featureTags: [], segments: [], tagTypes: [], dependencies: [] },
};

async function blocksOf(document: ExportDocument): Promise<string[]> {
  const blocks: string[] = [];
  for await (const block of exportJson(document)) blocks.push(block);
  return blocks;
}

test('an export is sent in blocks that are the document together, and none of which is large', async () => {
  const tags = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      ...{ featureName: `feature-${nth}`, tagType: 'simple', tagValue: 'a "quoted" value' },
    }));
  const document = { ...empty, segments: [{ id: 1, name: 's' }], featureTags: tags(5_000) };
  const blocks = await blocksOf(document);
  expect(JSON.parse(blocks.join(''))).toEqual(document);
  expect(blocks.length).toBeGreaterThan(5);
  expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(70_000);
});

test('an export of nothing is a document without anything', async () => {
  expect(JSON.parse((await blocksOf(empty)).join(''))).toEqual(empty);
});
