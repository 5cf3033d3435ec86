import type { Tx } from '../../../platform/db/database.ts';
import { lockSealedTokens, updateSealedSecret } from './queries.ts';
import { openSecret, sealedSecret } from './sealing.ts';

/** Seals secrets of former keys with the first key. Returns their number. Secrets that no key opens stay. */
export async function resealTokens(tx: Tx, keys: readonly Buffer[]): Promise<number> {
  let count = 0;
  for (const token of await lockSealedTokens(tx)) {
    const secret = openSecret(keys, token);
    if (secret === undefined || openSecret(keys.slice(0, 1), token) !== undefined) continue;
    await updateSealedSecret(tx, token.id, sealedSecret(keys, token.type, secret));
    count += 1;
  }
  return count;
}
