import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPageFiles } from './files.ts';

test('a file that was removed while the server runs does not exist, and is found when it is there again', async () => {
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
