import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encryptionKeysFor } from './encryption-key.ts';

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'burgee-key-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('with the embedded database, a key is generated once, readable only by its owner', async () => {
  const folder = emptyFolder();
  const [key, ...more] = await encryptionKeysFor([], folder);
  expect([key?.length, more]).toEqual([32, []]);
  expect(await encryptionKeysFor([], folder)).toEqual([key]);
  expect(readdirSync(folder)).toEqual(['encryption.key']);
  expect(statSync(join(folder, 'encryption.key')).mode & 0o777).toBe(0o600);
  const written = readFileSync(join(folder, 'encryption.key'), 'utf8');
  expect(Buffer.from(written, 'base64')).toEqual(key);
});

test('concurrent starts agree on one key', async () => {
  const folder = emptyFolder();
  const found = await Promise.all(Array.from({ length: 20 }, () => encryptionKeysFor([], folder)));
  expect(new Set(found.map(([key]) => key?.toString('hex'))).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['encryption.key']);
});

test('a configured key takes precedence over the generated one, which is still read', async () => {
  const folder = emptyFolder();
  const [made] = await encryptionKeysFor([], folder);
  const own = Buffer.alloc(32, 1);
  expect(await encryptionKeysFor([own], folder)).toEqual([own, made]);
});

test('no key is generated if one is configured', async () => {
  const folder = emptyFolder();
  const own = Buffer.alloc(32, 1);
  expect(await encryptionKeysFor([own], folder)).toEqual([own]);
  expect(readdirSync(folder)).toEqual([]);
});

test('no key is generated for an external database', async () => {
  expect(await encryptionKeysFor([], undefined)).toEqual([]);
});

test('a damaged key stops the start, and is neither replaced nor printed', async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'encryption.key'), 'aHVudGVyMg==');
  const start = encryptionKeysFor([], folder);
  await expect(start).rejects.toThrow(/doesn't contain a base64 key of 32 bytes/);
  await expect(start).rejects.not.toThrow(/aHVudGVyMg/);
  expect(readFileSync(join(folder, 'encryption.key'), 'utf8')).toBe('aHVudGVyMg==');
});

test('a folder that is not writable is reported', async () => {
  await expect(encryptionKeysFor([], join(emptyFolder(), 'gone'))).rejects.toThrow(
    /could not be created \(ENOENT\)/,
  );
});
