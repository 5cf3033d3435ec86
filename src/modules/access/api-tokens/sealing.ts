import { hashSecret } from '../../../platform/secret.ts';
import { seal, tryUnseal } from '../../../platform/secret-box.ts';
import type { TokenType } from './contract.ts';

type Keys = readonly Buffer[];

/** By the hash: a sealed secret that is put beside another token cannot be opened there. */
const purposeOf = (hash: Buffer) => `api token ${hash.toString('hex')}`;

/**
 * The secret of a token that programs carry, so that it can be shown again. Those of administrators are shown once,
 * and so are all while there is no key.
 */
export const sealedSecret = (keys: Keys, type: TokenType, secret: string): Buffer | null =>
  type === 'admin' || keys.length === 0 ? null : seal(keys, secret, purposeOf(hashSecret(secret)));

export interface SealedToken {
  readonly secretHash: Buffer;
  readonly sealedSecret: Buffer | null;
}

/** Undefined where it was never stored, or under a key that is gone. */
export const openSecret = (keys: Keys, token: SealedToken): string | undefined =>
  token.sealedSecret === null
    ? undefined
    : tryUnseal(keys, token.sealedSecret, purposeOf(token.secretHash));
