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

export const isSignedBy = (publicKey: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, 'base64'));
