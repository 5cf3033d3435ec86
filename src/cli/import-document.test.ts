import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBytes } from './import-document.ts';

test('a file of any type is read up to a limit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-read-'));
  const file = join(folder, 'file');
  writeFileSync(file, 'x'.repeat(2000));
  expect(readBytes(file, 2000)).toHaveLength(2000);
  expect(() => readBytes(file, 1999)).toThrow(`${file} is larger than 1999 bytes.`);
  // The length of a device is unknown.
  expect(() => readBytes('/dev/zero', 5_000_000)).toThrow(
    '/dev/zero is larger than 5000000 bytes.',
  );
  expect(() => readBytes(folder, 1)).toThrow(/is larger than 1 bytes|Couldn't read/);
  expect(() => readBytes(join(folder, 'none'), 1)).toThrow('none (ENOENT)');
});
