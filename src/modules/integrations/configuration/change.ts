import { isDeepStrictEqual } from 'node:util';
import type { Tx } from '../../../platform/db/database.ts';
import { badData, type Fault, invalidOperation } from '../../../platform/errors.ts';
import type { Integration, IntegrationWish } from '../contract/integration.ts';
import { findProvider } from '../providers/catalogue.ts';
import { answerOf, factsOf } from './answer.ts';
import { draftOf, getProvider, seesAll, split } from './draft.ts';
import { changedNames, mergedParameters, opened } from './merged-parameters.ts';
import { hasSigningSecret, previousSigningSecret, signingSecret } from './parameters.ts';
import { holdPlaces, placeFaults } from './places.ts';
import {
  type StoredIntegration,
  updateIntegration,
  updateSecrets,
  updateUnheld,
  updateUntold,
} from './queries.ts';
import { isUnderFirstKey, openSecrets, sealSecrets } from './sealing.ts';
import { newSigningSecret } from './signing-secret.ts';
import { getForChange, getStored, type Installation, recordChange } from './stored.ts';

function otherProvider(before: StoredIntegration, wish: IntegrationWish): Fault[] {
  if (before.provider === wish.provider) return [];
  const path = '/body/provider';
  const message = `${path} must be ${before.provider}: an integration stays with its provider`;
  return [{ path, message }];
}

/** Projects and environments are asked for before the order of events is held, as in `createIntegration`. */
export async function changeIntegration(
  tx: Tx,
  installation: Installation,
  id: number,
  wish: IntegrationWish,
): Promise<Integration> {
  const { encryptionKeys: keys } = installation;
  const places = await holdPlaces(tx, wish);
  const before = await getForChange(tx, installation, id);
  const provider = getProvider(wish.provider);
  const stored = opened(keys, before);
  const { parameters, faults } = mergedParameters(provider, stored, wish.parameters);
  const other = otherProvider(before, wish);
  const all = [
    ...(other.length > 0 ? other : faults),
    ...placeFaults(tx.actor, wish, places, before),
  ];
  if (all.length > 0) throw badData(all);

  const parts = split(provider, parameters);
  const wished = draftOf(wish, parts, before);
  const changed = changedNames(stored, parameters);
  const isSame =
    changed.length === 0 && isDeepStrictEqual(factsOf({ ...before, ...wished }), factsOf(before));
  // Whoever changes where it sends, and what, could have themselves told what they may not know.
  const tellsPrivate = seesAll(tx.actor) || (isSame && before.tellsPrivate);
  await updateIntegration(tx, id, { ...wished, tellsPrivate });
  const { sees } = tx.actor;
  if (before.tellsPrivate && !tellsPrivate && sees !== 'all') await updateUntold(tx, id, sees);
  if (changed.length > 0) await updateUnheld(tx, id);
  if (changed.length > 0 || !isUnderFirstKey(keys, before)) {
    await updateSecrets(tx, id, sealSecrets(keys, id, parts.secrets));
  }
  const after = await getStored(tx, id);
  recordChange(tx, before, after, changed.length > 0 ? { changedParameters: changed } : {});
  return answerOf(after, tx.actor, tx.now);
}

/** Makes a new signing secret. The one until now signs beside it, until somebody takes it away. */
export async function changeSigningSecret(
  tx: Tx,
  installation: Installation,
  id: number,
): Promise<{ signingSecret: string }> {
  const { encryptionKeys: keys } = installation;
  const before = await getForChange(tx, installation, id);
  const provider = findProvider(before.provider);
  if (!provider || !hasSigningSecret(provider)) {
    throw invalidOperation(`Integrations of the kind ${before.provider} have no signing secret`);
  }
  const secrets = openSecrets(keys, before);
  if (!secrets) {
    throw invalidOperation(
      'The stored secrets cannot be read: they were encrypted under a key that is not in ENCRYPTION_KEY any more. Enter them again first',
    );
  }
  const made = newSigningSecret();
  const former = secrets[signingSecret];
  const after = {
    ...secrets,
    [signingSecret]: made,
    ...(former !== undefined && { [previousSigningSecret]: former }),
  };
  await updateIntegration(tx, id, { ...before, secretNames: Object.keys(after).sort() });
  await updateSecrets(tx, id, sealSecrets(keys, id, after));
  recordChange(tx, before, await getStored(tx, id), {
    changedParameters: changedNames(opened(keys, before), { ...before.parameters, ...after }),
  });
  return { signingSecret: made };
}
