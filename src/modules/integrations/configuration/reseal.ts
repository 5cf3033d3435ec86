import type { Tx } from '../../../platform/db/database.ts';
import { lockSealedIntegrations, updateSecrets } from './queries.ts';
import { isUnderFirstKey, openSecrets, sealSecrets } from './sealing.ts';

/**
 * Seals all secrets with the first key, so that the others can be retired. Returns the number of changed
 * integrations. Secrets that no key opens stay as they are, in case their key is found.
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
