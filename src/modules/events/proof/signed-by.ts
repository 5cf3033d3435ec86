import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { sha256 } from './canonical.ts';

/** The first 16 hex digits of the SHA-256 of the 32 bytes of the public key. */
export const keyIdOf = (publicKey: KeyObject): string => {
  // In SPKI an Ed25519 key is a fixed prefix followed by the 32 bytes.
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return sha256(raw).toString('hex').slice(0, 16);
};

/** Undefined if the text is not an Ed25519 key. */
export function keyIdOfPem(pem: string): string | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? keyIdOf(key) : undefined;
  } catch {
    return undefined;
  }
}

const pemBlocks = /-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g;

/**
 * Reads public keys by id from a text: PEM, the output of `key export`, or the JSON of the API, which has line feeds in
 * its strings escaped.
 */
export function readPublicKeys(text: string): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  for (const pem of text.replaceAll('\\n', '\n').match(pemBlocks) ?? []) {
    const id = keyIdOfPem(pem);
    if (id !== undefined) keys.set(id, pem);
  }
  return keys;
}

export const isSignedBy = (publicKey: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, 'base64'));
