import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, unavailable } from '../../../platform/errors.ts';
import { StartError } from '../../../platform/start-error.ts';
import { signingKeyChanged } from '../events.ts';
import { record } from '../record.ts';
import { sha256 } from './canonical.ts';

const signingKeySetting = 'events.signing-key';

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** The first 16 hex digits of the SHA-256 of the 32 bytes of the public key. */
export const keyIdOf = (publicKey: KeyObject): string => {
  // An Ed25519 key in SPKI is a fixed head and then the 32 bytes.
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  return sha256(raw).toString('hex').slice(0, 16);
};

/** The operator's own key: PEM, PKCS 8, Ed25519, not encrypted. */
function readSigningKey(file: string): KeyObject {
  const wrong = (reason: string, cause?: unknown) =>
    new StartError(
      `SIGNING_KEY_FILE ${file} ${reason}. Make one with: openssl genpkey -algorithm ed25519`,
      { cause },
    );
  let pem: Buffer;
  try {
    pem = readFileSync(file);
  } catch (error) {
    throw wrong(`cannot be read (${(error as NodeJS.ErrnoException).code})`, error);
  }
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch (error) {
    throw wrong('does not hold a private key in PEM', error);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw wrong(`holds a key of the kind ${key.asymmetricKeyType}, not Ed25519`);
  }
  return key;
}

export const listSigningKeys = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .select(['id', 'public_key as publicKey', 'created_at as createdAt', 'retired_at as retiredAt'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();

const findCurrent = (db: Db) =>
  db
    .selectFrom('signing_keys')
    .where('retired_at', 'is', null)
    .select(['id', 'public_key as publicKey', 'private_key as privateKey'])
    .executeTakeFirst();

/** The old key's public half stays, for the signatures that it made; its private half goes. */
const retireCurrent = (tx: Tx) =>
  tx.db
    .updateTable('signing_keys')
    .set({ retired_at: tx.now, private_key: null })
    .where('retired_at', 'is', null)
    .returning('id')
    .executeTakeFirst();

const insertCurrent = (tx: Tx, publicKey: KeyObject, privateKey: string | null) =>
  tx.db
    .insertInto('signing_keys')
    .values({
      id: keyIdOf(publicKey),
      public_key: pemOf(publicKey),
      private_key: privateKey,
      created_at: tx.now,
    })
    // An operator may go back to a key that was retired.
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ retired_at: null }))
    .execute();

const insertGenerated = async (tx: Tx): Promise<string> => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await insertCurrent(tx, publicKey, pem);
  return keyIdOf(publicKey);
};

const lockKeys = async (tx: Tx) => {
  await tx.db.selectFrom('event_log').select('rewrites').forUpdate().execute();
};

/**
 * Makes sure that there is a current key: the one in the operator's file, or one of our own, made
 * here. A change of key is recorded; the first key changes nothing.
 */
export async function prepareSigningKey(tx: Tx, file: string | undefined): Promise<void> {
  const given = file === undefined ? undefined : readSigningKey(file);
  const publicKey = given && createPublicKey(given);
  await lockKeys(tx);
  const current = await findCurrent(tx.db);
  const stays = publicKey ? current?.id === keyIdOf(publicKey) : current?.privateKey != null;
  if (stays) return;
  await retireCurrent(tx);
  if (publicKey) await insertCurrent(tx, publicKey, null);
  const keyId = publicKey ? keyIdOf(publicKey) : await insertGenerated(tx);
  if (current) record(tx, signingKeyChanged({ data: { id: signingKeySetting, keyId } }));
}

/** A new key of our own takes over; what the old one signed still verifies. */
export async function rotateSigningKey(tx: Tx, file: string | undefined): Promise<string> {
  if (file !== undefined) {
    throw invalidOperation(
      'The key comes from SIGNING_KEY_FILE: put a new key into that file and start again',
    );
  }
  await lockKeys(tx);
  await retireCurrent(tx);
  const keyId = await insertGenerated(tx);
  record(tx, signingKeyChanged({ data: { id: signingKeySetting, keyId } }));
  return keyId;
}

export interface Signer {
  readonly keyId: string;
  readonly publicKey: string;
  readonly sign: (text: string) => string;
}

/** Whoever signs now, or undefined before the first key. */
export async function findSigner(db: Db, file: string | undefined): Promise<Signer | undefined> {
  const current = await findCurrent(db);
  if (!current) return undefined;
  const privateKey =
    current.privateKey !== null
      ? createPrivateKey(current.privateKey)
      : file === undefined
        ? undefined
        : readSigningKey(file);
  if (!privateKey || keyIdOf(createPublicKey(privateKey)) !== current.id) {
    throw unavailable(`The signing key ${current.id} is not in SIGNING_KEY_FILE of this server`);
  }
  return {
    keyId: current.id,
    publicKey: current.publicKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

export const isSignedBy = (publicKey: string, text: string, signature: string): boolean =>
  verify(null, Buffer.from(text), createPublicKey(publicKey), Buffer.from(signature, 'base64'));
