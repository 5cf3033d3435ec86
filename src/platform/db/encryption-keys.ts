import { sql } from 'kysely';
import { keyNameOf, seal, tryUnseal } from '../secret-box.ts';
import { StartError } from '../start-error.ts';
import type { Tx } from './database.ts';

interface EncryptionKeysTable {
  key_id: string;
  /** A text that only this key opens. */
  proof: Buffer;
  created_at: Date;
}

declare module './database.ts' {
  interface Database {
    encryption_keys: EncryptionKeysTable;
  }
}

const purpose = 'proof of an encryption key';

/** Those keys, by their names, under which secrets are stored and that are not among the given ones. */
async function listMissing(tx: Tx, keys: readonly Buffer[]): Promise<string[]> {
  const stored = await tx.db
    .selectFrom('encryption_keys')
    .select(['key_id as id', 'proof'])
    .orderBy('key_id')
    .execute();
  return stored
    .filter(({ proof }) => tryUnseal(keys, proof, purpose) === undefined)
    .map(({ id }) => id);
}

/** Of several instances that start at once with different keys, one is first, and the others see it. */
const lockKeys = (tx: Tx) =>
  sql`lock table encryption_keys in share row exclusive mode`.execute(tx.db);

const insertKey = (tx: Tx, keys: readonly [Buffer, ...Buffer[]]) =>
  tx.db
    .insertInto('encryption_keys')
    .values({ key_id: keyNameOf(keys[0]), proof: seal(keys, '', purpose), created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

const isAny = (keys: readonly Buffer[]): keys is readonly [Buffer, ...Buffer[]] => keys.length > 0;

/**
 * Notes that secrets are stored under the first of the keys from now on. An instance that lacks a key under
 * which secrets are stored already would spoil what others do well, and is refused.
 */
export async function requireEncryptionKeys(
  tx: Tx,
  keys: readonly Buffer[],
  { mayLack = false }: { readonly mayLack?: boolean } = {},
): Promise<void> {
  if (!isAny(keys) && mayLack) return;
  await lockKeys(tx);
  const missing = await listMissing(tx, keys);
  if (missing.length > 0) {
    const what = isAny(keys)
      ? `ENCRYPTION_KEY does not contain a key (${missing.join(', ')})`
      : `ENCRYPTION_KEY is not set, so a key is missing (${missing.join(', ')})`;
    throw new StartError(
      `${what} that encrypts secrets of this installation. Set the key that the other instances have; while you change keys, set new,old. ` +
        'If the key is lost, run burgee key reseal --give-up-lost and enter those secrets again.',
    );
  }
  if (isAny(keys)) await insertKey(tx, keys);
}

/**
 * All is stored under the first key now. Where a key is not given and not given up, what is under it could not be
 * read: then nothing is noted, so that a wrong key shuts nobody out.
 */
export async function retireOtherKeys(
  tx: Tx,
  keys: readonly Buffer[],
  { giveUpLost }: { readonly giveUpLost: boolean },
): Promise<void> {
  if (!isAny(keys)) return;
  await lockKeys(tx);
  if (!giveUpLost) await requireEncryptionKeys(tx, keys);
  await insertKey(tx, keys);
  await tx.db.deleteFrom('encryption_keys').where('key_id', '!=', keyNameOf(keys[0])).execute();
}
