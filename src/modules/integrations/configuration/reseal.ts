import type { Tx } from '../../../platform/db/database.ts';
import { lockSealedIntegrations, updateSecrets } from './queries.ts';
import { isUnderFirstKey, openSecrets, sealSecrets } from './sealing.ts';

/**
 * Seals all secrets under the first key that are not yet, so that the others can be retired; says of how
 * many integrations. What none of the keys opens stays as it is, for the day on which its key is found.
 */
export async function resealIntegrations(tx: Tx, keys: readonly Buffer[]): Promise<number> {
  let count = 0;
  for (const integration of await lockSealedIntegrations(tx)) {
    if (isUnderFirstKey(keys, integration)) continue;
    const secrets = openSecrets(keys, integration);
    if (!secrets) continue;
    await updateSecrets(tx, integration.id, sealSecrets(keys, integration.id, secrets));
    count += 1;
  }
  return count;
}
