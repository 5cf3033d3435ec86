import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPageFiles } from './files.ts';

test('a file that is removed and restored while the server runs is found again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'main.js');
  writeFileSync(path, 'one');
  const find = createPageFiles(folder);
  rmSync(path);
  expect(await find('main.js')).toBeUndefined();
  writeFileSync(path, 'two');
  expect((await find('main.js'))?.content.toString()).toBe('two');
});
