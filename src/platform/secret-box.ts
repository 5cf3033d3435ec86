import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { invalidOperation } from './errors.ts';

/** The format of a sealed text: version, key id, nonce, tag, ciphertext. */
const version = 1;
const keyIdBytes = 4;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;
const bodyAt = headBytes + nonceBytes + tagBytes;

const algorithm = 'aes-256-gcm';

/** Identifies a key without revealing it. */
const keyIdOf = (key: Buffer): Buffer =>
  createHash('sha256').update('burgee key id').update(key).digest().subarray(0, keyIdBytes);

/** The key id as text, for messages. */
export const keyNameOf = (key: Buffer): string => keyIdOf(key).toString('hex');

/** The associated data: a sealed text that is moved to another place cannot be opened there. */
const boundTo = (head: Buffer, purpose: string) => Buffer.concat([head, Buffer.from(purpose)]);

/** Encrypts a text under the first key, for one purpose. */
export function seal(keys: readonly Buffer[], text: string, purpose: string): Buffer {
  const [key] = keys;
  if (!key) {
    throw invalidOperation(
      "The secret can't be stored. Set ENCRYPTION_KEY to 32 random bytes, in base64 or hexadecimal (openssl rand -base64 32)",
    );
  }
  const head = Buffer.concat([Buffer.from([version]), keyIdOf(key)]);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(boundTo(head, purpose));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), body]);
}

function open(key: Buffer, sealed: Buffer, purpose: string): string {
  const head = sealed.subarray(0, headBytes);
  const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
  const tag = sealed.subarray(headBytes + nonceBytes, bodyAt);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
    .setAAD(boundTo(head, purpose))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()]).toString();
}

/** Decrypts a text with whichever key sealed it. Returns undefined if none opens it. */
export function tryUnseal(
  keys: readonly Buffer[],
  sealed: Buffer,
  purpose: string,
): string | undefined {
  if (sealed.length < bodyAt || sealed[0] !== version) return undefined;
  const id = sealed.subarray(1, headBytes);
  for (const key of keys.filter((each) => keyIdOf(each).equals(id))) {
    try {
      return open(key, sealed, purpose);
    } catch {
      // Damaged, sealed for another purpose, or by another key with the same id.
    }
  }
  return undefined;
}

export function unseal(keys: readonly Buffer[], sealed: Buffer, purpose: string): string {
  const text = tryUnseal(keys, sealed, purpose);
  if (text === undefined) {
    throw invalidOperation(
      "A stored secret can't be decrypted, because its key isn't in ENCRYPTION_KEY. Set ENCRYPTION_KEY to new,old while you change keys, or enter the secret again",
    );
  }
  return text;
}
