import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { readArchive, writeArchive } from './archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'burgee-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = join(folder, 'archive');

/** A tar header with a size and type of any form. */
function header(name: string, size: string | Buffer, type = '0'): Buffer {
  const block = Buffer.alloc(512);
  block.write(name);
  if (typeof size === 'string') block.write(size, 124, 'latin1');
  else size.copy(block, 124);
  block.write(type, 156);
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

const end = Buffer.alloc(1024);
const noBytes = '00000000000\0';

const binary = (size: bigint, second = 0) => {
  const field = Buffer.alloc(12);
  field[0] = 0x80;
  field[1] = second;
  field.writeBigUInt64BE(size, 4);
  return field;
};

async function read(...blocks: readonly Buffer[]) {
  writeFileSync(file, Buffer.concat(blocks));
  const archive = await readArchive(file);
  await archive.close();
  return [...archive.names];
}

test('an archive is read as it was written, in any number of chunks', async () => {
  const handle = await open(file, 'w');
  const writer = writeArchive(handle, new Date(0));
  await writer.add('empty', Readable.from([]));
  await writer.add('two', Readable.from([Buffer.alloc(600, 'a'), Buffer.from('b')]));
  await writer.finish();
  await handle.close();
  const archive = await readArchive(file);
  expect([...archive.names]).toEqual(['empty', 'two']);
  expect(String(await buffer(archive.read('two')))).toBe(`${'a'.repeat(600)}b`);
  expect(() => archive.read('three')).toThrow(/is damaged: three is missing/);
  await archive.close();
});

test('an archive can have a size of zero with either terminator, and a binary size', async () => {
  expect(await read(header('a', noBytes), header('b', '00000000000 '), end)).toEqual(['a', 'b']);
  const four = Buffer.concat([Buffer.from('four'), Buffer.alloc(508)]);
  expect(await read(header('a', binary(4n)), four, end)).toEqual(['a']);
});

// A reader that accepts a negative size would read the same header forever.
test.each([
  ['-512', '-0000001000\0'],
  ['-1024', '-0000002000\0'],
  ['+0', '+0000000000\0'],
  ['hexadecimal', '0x000000010\0'],
  ['an exponent', '00000000e10\0'],
  ['a fraction', '0000000000.5'],
  ['the digit 8', '00000000008\0'],
  ['blank', '            '],
  ['empty', '\0'.repeat(12)],
  ['twelve digits', '000000000000'],
  ['text after the digits', '0000000000\0x'],
  ['a negative number in binary', Buffer.alloc(12, 0xff)],
  ['more than a number can hold', binary(2n ** 63n)],
  ['more than eight bytes', binary(0n, 1)],
])('an archive with a size that is %s is rejected', async (_, size) => {
  await expect(read(header('a', size), end)).rejects.toThrow(
    `${file} is damaged: the size at byte 124 isn't a number.`,
  );
  await expect(read(header('a', noBytes), header('b', size), end)).rejects.toThrow('byte 636');
});

test.each([
  ['a hard link', '1'],
  ['a symbolic link', '2'],
  ['a folder', '5'],
  ['a long name', 'L'],
  ['a sparse file', 'S'],
  ['an extended header', 'x'],
  ['a global header', 'g'],
])('an archive that contains %s is rejected', async (_, type) => {
  await expect(read(header('a', noBytes, type), end)).rejects.toThrow(
    `${file} is damaged: the entry at byte 0 isn't a file.`,
  );
});

test('an archive with a duplicate name is rejected', async () => {
  await expect(read(header('a', noBytes), header('a', noBytes), end)).rejects.toThrow(
    'duplicate entry at byte 512',
  );
});

test('an archive with more than 1000 entries is rejected', async () => {
  const many = Array.from({ length: 1001 }, (_, n) => header(`entry-${n}`, noBytes));
  await expect(read(...many, end)).rejects.toThrow('it has more than 1000 entries');
});

test.each([
  ['no end', [], 'it ends too early'],
  ['half an end', [Buffer.alloc(512)], 'it ends too early'],
  ['an end that is not empty', [Buffer.alloc(512), Buffer.alloc(512, 1)], 'unexpected data'],
  ['data after its end', [end, Buffer.from('more')], 'unexpected data after its end at byte 512'],
])('an archive with %s is rejected', async (_, last, message) => {
  await expect(read(header('a', noBytes), ...last)).rejects.toThrow(message);
});

test('an archive with a size beyond the end of the file is rejected', async () => {
  await expect(read(header('a', '00000100000\0'), end)).rejects.toThrow('it ends too early');
  await expect(read(header('a', binary(BigInt(Number.MAX_SAFE_INTEGER))), end)).rejects.toThrow(
    'it ends too early',
  );
});
