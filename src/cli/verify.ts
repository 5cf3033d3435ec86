import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Checkpoint,
  isSignedBy,
  keyIdOf,
  listSigningKeys,
  signedText,
  verifyLog,
} from '../modules/events/index.ts';
import type { Db } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabaseToRead } from './with-database.ts';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
};

function readCheckpoint(file: string): Checkpoint {
  const wrong = () => new StartError(`${file} does not hold a checkpoint`);
  let value: Partial<Checkpoint> | null;
  try {
    value = JSON.parse(read(file));
  } catch (error) {
    throw error instanceof StartError ? error : wrong();
  }
  const texts = [value?.hash, value?.createdAt, value?.keyId, value?.signature];
  if (!Number.isInteger(value?.lastId) || texts.some((text) => typeof text !== 'string')) {
    throw wrong();
  }
  return value as Checkpoint;
}

const pemBlocks = /-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g;

const isEd25519 = (pem: string): boolean => {
  try {
    return createPublicKey(pem).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
};

/** One of the keys in a file, which may hold all that `key export` printed. */
function readPublicKey(file: string, keyId: string): string {
  const keys = (read(file).match(pemBlocks) ?? []).filter(isEd25519);
  if (keys.length === 0) {
    throw new StartError(`${file} does not hold an Ed25519 public key in PEM`);
  }
  const key = keys.find((pem) => keyIdOf(createPublicKey(pem)) === keyId);
  if (!key) {
    throw new StartError(`The checkpoint is signed with the key ${keyId}, which is not in ${file}`);
  }
  return key;
}

/** The checkpoint's own copy of the key proves nothing: whoever forges one signs with a key of theirs. */
async function checkSignature(db: Db, checkpoint: Checkpoint, keyFile: string | undefined) {
  const key = keyFile
    ? readPublicKey(keyFile, checkpoint.keyId)
    : (await listSigningKeys(db)).find(({ id }) => id === checkpoint.keyId)?.publicKey;
  if (!key) {
    throw new StartError(
      `The checkpoint is signed with the key ${checkpoint.keyId}, which this installation never had`,
    );
  }
  if (!isSignedBy(key, signedText(checkpoint), checkpoint.signature)) {
    throw new StartError(`The checkpoint is not signed with the key ${checkpoint.keyId}`);
  }
}

export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { checkpoint: { type: 'string' }, 'public-key': { type: 'string' } },
  });
  const checkpoint =
    values.checkpoint === undefined ? undefined : readCheckpoint(values.checkpoint);
  const result = await withDatabaseToRead(async ({ db, snapshot }) => {
    if (checkpoint) await checkSignature(db, checkpoint, values['public-key']);
    return snapshot((reading) => verifyLog(reading, checkpoint));
  });
  if (result.fault) {
    process.stderr.write(`${result.fault.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { checked, firstId, lastId, hash } = result;
  process.stdout.write(
    checked === 0
      ? `0 events verified, the log is empty, hash ${hash}\n`
      : `${checked} events verified, ${firstId} to ${lastId}, hash ${hash}\n`,
  );
  if (checkpoint && checkpoint.lastId < firstId - 1) {
    process.stdout.write(
      `The checkpoint cannot be checked: retention removed event ${checkpoint.lastId}\n`,
    );
  } else if (checkpoint) {
    process.stdout.write(
      `The checkpoint of ${checkpoint.createdAt}, at event ${checkpoint.lastId}, agrees\n`,
    );
  }
}
