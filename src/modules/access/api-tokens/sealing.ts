import { hashSecret } from '../../../platform/secret.ts';
import { seal, tryUnseal } from '../../../platform/secret-box.ts';
import type { TokenType } from './contract.ts';

type Keys = readonly Buffer[];

/** Includes the hash, so that a sealed secret cannot be opened for another token. */
const purposeOf = (hash: Buffer) => `api token ${hash.toString('hex')}`;

/**
 * Seals the secret of an SDK token, so that it can be shown again. Secrets of admin tokens are shown only once, and all
 * secrets if there is no key.
 */
export const sealedSecret = (keys: Keys, type: TokenType, secret: string): Buffer | null =>
  type === 'admin' || keys.length === 0 ? null : seal(keys, secret, purposeOf(hashSecret(secret)));

export interface SealedToken {
  readonly secretHash: Buffer;
  readonly sealedSecret: Buffer | null;
}

/** Undefined if it was never stored, or if its key is missing. */
export const openSecret = (keys: Keys, token: SealedToken): string | undefined =>
  token.sealedSecret === null
    ? undefined
    : tryUnseal(keys, token.sealedSecret, purposeOf(token.secretHash));
