import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Db, Tx } from '../../../platform/db/database.ts';
import { invalidOperation, unavailable } from '../../../platform/errors.ts';
import { StartError } from '../../../platform/start-error.ts';
import { signingKeyChanged, signingKeySetting } from '../events.ts';
import { record } from '../record/record.ts';
import {
  findCurrentKey,
  findRecordedKeyIds,
  insertCurrentKey,
  listSigningKeys,
  lockSigningKeys,
  retireCurrentKey,
} from './queries.ts';
import { keyIdOf } from './signed-by.ts';

const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();

/** Reads the operator's key: PEM, PKCS 8, Ed25519, not encrypted. */
function readSigningKey(file: string): KeyObject {
  const wrong = (reason: string, cause?: unknown) =>
    new StartError(
      `SIGNING_KEY_FILE ${file} ${reason}. Create a key with: openssl genpkey -algorithm ed25519`,
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
    throw wrong('does not contain a private key in PEM format', error);
  }
  if (key.asymmetricKeyType !== 'ed25519') {
    throw wrong(`contains a key of the type ${key.asymmetricKeyType}, not Ed25519`);
  }
  return key;
}

const generateKey = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return { publicKey, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
};

async function activateKey(tx: Tx, publicKey: KeyObject, privateKey: string | null) {
  const id = keyIdOf(publicKey);
  await retireCurrentKey(tx);
  await insertCurrentKey(tx, { id, publicKey: pemOf(publicKey), privateKey });
  return id;
}

/**
 * The keys according to the log, so that a row which someone added to the table does not count. Only a log that has
 * never listed keys uses the table.
 */
export async function listKnownKeyIds(tx: Tx): Promise<readonly string[]> {
  return (await findRecordedKeyIds(tx.db)) ?? (await listSigningKeys(tx.db)).map(({ id }) => id);
}

/** Records the active key and the list of all keys. */
async function recordKeys(tx: Tx, keyId: string): Promise<void> {
  const keyIds = [...new Set([...(await listKnownKeyIds(tx)), keyId])];
  record(tx, signingKeyChanged({ data: { id: signingKeySetting, keyId, keyIds } }));
}

type CurrentKey = Awaited<ReturnType<typeof findCurrentKey>>;

const isInFile = (current: CurrentKey) => current?.privateKey === null;

/** Whether the configured key is active. A lost setting must not activate another key. */
function isActiveKey(current: CurrentKey, given: KeyObject | undefined): boolean {
  if (given) return current?.id === keyIdOf(given);
  if (isInFile(current)) {
    throw new StartError(
      `The signing key ${current?.id} is in a file. Set SIGNING_KEY_FILE to that file again, or switch to a key in the database: burgee key rotate --to-database`,
    );
  }
  return current !== undefined;
}

/**
 * Ensures that a key is active, from the operator's file or generated here, and that the log mentions it. `verify` can
 * then detect keys that someone else added.
 */
export async function prepareSigningKey(tx: Tx, file: string | undefined): Promise<void> {
  const given = file === undefined ? undefined : createPublicKey(readSigningKey(file));
  const isReady = async (current: CurrentKey) =>
    isActiveKey(current, given) && (await findRecordedKeyIds(tx.db)) !== undefined;
  if (await isReady(await findCurrentKey(tx.db))) return;
  await lockSigningKeys(tx);
  // Another instance may have been faster.
  const current = await findCurrentKey(tx.db);
  if (await isReady(current)) return;
  if (current && isActiveKey(current, given)) return recordKeys(tx, current.id);
  const { publicKey, privateKey } = given ? { publicKey: given, privateKey: null } : generateKey();
  await recordKeys(tx, await activateKey(tx, publicKey, privateKey));
}

interface Rotation {
  /** SIGNING_KEY_FILE, if set. */
  readonly file: string | undefined;
  /** Whether a key in the database may replace one in a file. */
  readonly toDatabase: boolean;
}

/** Activates a new generated key. Signatures of the old key still verify. */
export async function rotateSigningKey(tx: Tx, { file, toDatabase }: Rotation): Promise<string> {
  if (file !== undefined) {
    throw invalidOperation(
      'The key comes from SIGNING_KEY_FILE: put a new key into that file and start again',
    );
  }
  await lockSigningKeys(tx);
  const current = await findCurrentKey(tx.db);
  if (isInFile(current) && !toDatabase) {
    throw invalidOperation(
      `The key ${current?.id} is in a file: put a new key into that file and start again, or add --to-database to keep a new one in the database`,
    );
  }
  const { publicKey, privateKey } = generateKey();
  const keyId = await activateKey(tx, publicKey, privateKey);
  await recordKeys(tx, keyId);
  return keyId;
}

export interface Signer {
  readonly keyId: string;
  /** Where the private key is. Whoever can write to the database can also use a key in it. */
  readonly keyIn: 'database' | 'file';
  readonly publicKey: string;
  readonly sign: (text: string) => string;
}

/** The current signer. Undefined before the first key. */
export async function findSigner(db: Db, file: string | undefined): Promise<Signer | undefined> {
  const current = await findCurrentKey(db);
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
    keyIn: current.privateKey === null ? 'file' : 'database',
    publicKey: current.publicKey,
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  };
}

/** Creates the first key if there is none. */
export async function getSigner(tx: Tx, file: string | undefined): Promise<Signer> {
  const signer = await findSigner(tx.db, file);
  if (signer) return signer;
  await prepareSigningKey(tx, file);
  return (await findSigner(tx.db, file)) as Signer;
}
