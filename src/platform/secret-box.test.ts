import { describe, expect, test } from 'vitest';
import { seal, tryUnseal, unseal } from './secret-box.ts';

const key = (byte: number) => Buffer.alloc(32, byte);
const text = 'hunter2, größer';

describe('an encrypted secret', () => {
  test('is decrypted with the key and purpose it was encrypted for', () => {
    expect(unseal([key(1)], seal([key(1)], text, 'setting a'), 'setting a')).toBe(text);
    expect(unseal([key(1)], seal([key(1)], '', 'setting a'), 'setting a')).toBe('');
  });

  test('reveals nothing of the text and differs each time', () => {
    const first = seal([key(1)], text, 'x');
    expect(first.toString('latin1')).not.toContain('hunter2');
    expect(first.equals(seal([key(1)], text, 'x'))).toBe(false);
  });

  test('is readable during a key rotation, and new secrets need only the new key', () => {
    const old = seal([key(1)], text, 'x');
    expect(unseal([key(2), key(1)], old, 'x')).toBe(text);
    const fresh = seal([key(2), key(1)], text, 'x');
    expect(unseal([key(2)], fresh, 'x')).toBe(text);
    expect(tryUnseal([key(1)], fresh, 'x')).toBeUndefined();
  });

  test('is not decrypted with another key, for another purpose, or if a bit was changed', () => {
    const sealed = seal([key(1)], text, 'x');
    expect(tryUnseal([key(2)], sealed, 'x')).toBeUndefined();
    expect(tryUnseal([key(1)], sealed, 'y')).toBeUndefined();
    for (let at = 0; at < sealed.length; at += 1) {
      const damaged = Buffer.from(sealed);
      damaged[at] = (damaged[at] as number) ^ 1;
      expect(tryUnseal([key(1)], damaged, 'x'), `byte ${at}`).toBeUndefined();
    }
    for (let length = 0; length < sealed.length; length += 1) {
      expect(tryUnseal([key(1)], sealed.subarray(0, length), 'x')).toBeUndefined();
    }
  });

  test('that cannot be decrypted causes a 403 that names ENCRYPTION_KEY', () => {
    const read = () => unseal([key(2)], seal([key(1)], text, 'x'), 'x');
    expect(read).toThrow(/isn't in ENCRYPTION_KEY/);
    expect(read).toThrow(expect.objectContaining({ status: 403, name: 'InvalidOperationError' }));
  });

  test('cannot be created without a key: the 403 says to set ENCRYPTION_KEY', () => {
    const store = () => seal([], text, 'x');
    expect(store).toThrow(/Set ENCRYPTION_KEY/);
    expect(store).toThrow(expect.objectContaining({ status: 403, name: 'InvalidOperationError' }));
  });
});
