import { randomBytes } from 'node:crypto';
import { chown, link, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../platform/start-error.ts';

const keyBytes = 32;
const fileName = 'encryption.key';

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;

const failed = (file: string, what: string, error: unknown) =>
  new StartError(
    `The key in ${file}, which encrypts stored secrets, could not be ${what} (${codeOf(error)})`,
    { cause: error },
  );

async function readKey(file: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw failed(file, 'read', error);
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === keyBytes) return key;
  throw new StartError(
    `${file} doesn't contain a base64 key of ${keyBytes} bytes. Restore it from a copy; without it, stored secrets are lost. To start with a new key, delete the file.`,
  );
}

/** The second of two starts finds the file of the first. File systems without hard links are not shared by two starts. */
const putInPlace = (from: string, to: string) =>
  link(from, to).catch((error: unknown) => {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
    return rename(from, to);
  });

/** Creates the file completely or not at all. An existing file is left unchanged. */
async function makeKey(folder: string, file: string): Promise<void> {
  const unfinished = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`;
  try {
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await handle.writeFile(`${randomBytes(keyBytes).toString('base64')}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // A start as root in the folder of a user must not keep that user from starting.
    if (process.getuid?.() === 0) {
      const { uid, gid } = await stat(folder);
      await chown(unfinished, uid, gid);
    }
    await putInPlace(unfinished, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw failed(file, 'created', error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** The configured keys, and the one in the folder of an embedded database if it exists. None is created. */
export async function readEncryptionKeys(
  configured: readonly Buffer[],
  embeddedIn: string | undefined,
): Promise<readonly Buffer[]> {
  const stored = embeddedIn === undefined ? undefined : await readKey(join(embeddedIn, fileName));
  return stored ? [...configured, stored] : configured;
}

/**
 * The keys that encrypt stored secrets. With the embedded database, a key is generated if the operator has set
 * none; it is still read after they set one. An external database may be shared by instances without a common
 * folder, so only configured keys count there.
 */
export async function encryptionKeysFor(
  configured: readonly Buffer[],
  embeddedIn: string | undefined,
): Promise<readonly Buffer[]> {
  if (embeddedIn === undefined) return configured;
  const file = join(embeddedIn, fileName);
  if (configured.length === 0 && !(await readKey(file))) await makeKey(embeddedIn, file);
  return readEncryptionKeys(configured, embeddedIn);
}
