import { sql } from 'kysely';
import { keyNameOf, seal, tryUnseal } from '../secret-box.ts';
import { StartError } from '../start-error.ts';
import type { Db, Tx } from './database.ts';

interface EncryptionKeysTable {
  key_id: string;
  /** A sealed text that only this key opens. */
  proof: Buffer;
  created_at: Date;
}

declare module './database.ts' {
  interface Database {
    encryption_keys: EncryptionKeysTable;
  }
}

const purpose = 'proof of an encryption key';

/** A key in use: its name, and a sealed text that only this key opens. */
interface KeyProof {
  readonly id: string;
  readonly proof: Buffer;
}

export const listKeyProofs = (db: Db): Promise<KeyProof[]> =>
  db.selectFrom('encryption_keys').select(['key_id as id', 'proof']).orderBy('key_id').execute();

/** Lists the names of keys that encrypt stored secrets but were not given. */
export const missingKeys = (stored: readonly KeyProof[], keys: readonly Buffer[]): string[] =>
  stored.filter(({ proof }) => tryUnseal(keys, proof, purpose) === undefined).map(({ id }) => id);

/** Serialises instances that start at once with different keys: the later ones see the first one's key. */
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
 * Records that secrets are encrypted under the first key from now on. Refuses an instance that lacks a key in use,
 * because it would store secrets that other instances cannot read.
 */
export async function requireEncryptionKeys(
  tx: Tx,
  keys: readonly Buffer[],
  { mayLack = false }: { readonly mayLack?: boolean } = {},
): Promise<void> {
  if (!isAny(keys) && mayLack) return;
  await lockKeys(tx);
  const missing = missingKeys(await listKeyProofs(tx.db), keys);
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
 * Records that all secrets are encrypted under the first key. If a key in use is missing and not given up, its secrets
 * could not be read: then nothing is recorded, so that a wrong key locks no one out.
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
