import { readFileSync } from 'node:fs';
import { findRetentionDays } from '../modules/access/settings/index.ts';
import {
  type AnyCheckpoint,
  type Checkpoint,
  checkpointFormat,
  findStructureFault,
  isSignedBy,
  type LogFault,
  listSigningKeys,
  readPublicKeys,
  signedText,
  verifyLog,
} from '../modules/events/index.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { withDatabaseToRead } from './with-database.ts';

const read = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`Couldn't read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
};

const isText = (value: unknown) => typeof value === 'string';

function readCheckpoint(file: string): AnyCheckpoint {
  const wrong = () => new StartError(`${file} does not contain a checkpoint`);
  let value: Partial<Checkpoint> | null;
  try {
    value = JSON.parse(read(file));
  } catch (error) {
    throw error instanceof StartError ? error : wrong();
  }
  const { lastId, hash, createdAt, keyId, signature, format, anchorId, anchorHash } = value ?? {};
  const isWhole = Number.isInteger(lastId) && [hash, createdAt, keyId, signature].every(isText);
  if (!isWhole) throw wrong();
  if (format === undefined) {
    // The signature of an older version covers no other properties.
    const { publicKey } = value as Checkpoint;
    return { lastId, hash, createdAt, keyId, publicKey, signature } as AnyCheckpoint;
  }
  if (format !== checkpointFormat) {
    throw new StartError(
      `${file} was created by a newer Burgee (${format}). Verify it with that version`,
    );
  }
  if (!Number.isInteger(anchorId) || !isText(anchorHash)) throw wrong();
  return value as Checkpoint;
}

type Keys = ReadonlyMap<string, string>;

function readKeyFile(file: string): Keys {
  const keys = readPublicKeys(read(file));
  if (keys.size === 0) throw new StartError(`${file} does not contain an Ed25519 public key`);
  return keys;
}

/**
 * Checks the signature with a key from the file. The key inside the checkpoint proves nothing, because a forger would
 * include their own.
 */
function faultOfSignature(
  checkpoint: AnyCheckpoint,
  keys: Keys,
  keyFile: string | undefined,
): Pick<LogFault, 'message'> | undefined {
  const { keyId, signature } = checkpoint;
  const key = keys.get(keyId);
  if (!key) {
    return {
      message:
        keyFile === undefined
          ? `The checkpoint is signed with the key ${keyId}, which this installation does not have`
          : `The checkpoint is signed with the key ${keyId}, which is not in ${keyFile}`,
    };
  }
  return isSignedBy(key, signedText(checkpoint), signature)
    ? undefined
    : { message: `The checkpoint is not signed with the key ${keyId}` };
}

/**
 * Warns if the event that announces the signing key is missing or later than the checkpoint. The owner of the database
 * can add a key and its event, but only at the end of the log.
 */
function doubtsOfKey(checkpoint: AnyCheckpoint, since: ReadonlyMap<string, number>): string[] {
  const { keyId, lastId } = checkpoint;
  const from = since.get(keyId);
  if (from !== undefined && from <= lastId) return [];
  return [
    from === undefined
      ? `No event records the key ${keyId}, which signed the checkpoint: start the server once, or pass your own copy of the key with --public-key`
      : `The key ${keyId} signed the checkpoint at event ${lastId}, but event ${from} is the first that records it: pass your own copy of the key with --public-key`,
  ];
}

interface VerifyOptions {
  readonly checkpointFile: string | undefined;
  readonly keyFile: string | undefined;
}

export const verify = command({
  options: {
    checkpoint: { type: 'text', value: 'FILE', does: 'compare with a stored checkpoint' },
    'public-key': {
      type: 'text',
      value: 'FILE',
      does: 'trust only the keys in this file: PEM, the output of key export, or the JSON of the API',
    },
  },
  notes:
    "Exit code 0: the log is intact; 1: a problem was found; 2: something couldn't be compared; 3: nothing was verified,\n" +
    "because an argument or file is wrong or the database can't be reached.",
  failureCode: 3,
  run: ({ checkpoint, 'public-key': keyFile }) => prove({ checkpointFile: checkpoint, keyFile }),
});

async function prove({ checkpointFile, keyFile }: VerifyOptions): Promise<void> {
  const checkpoint = checkpointFile === undefined ? undefined : readCheckpoint(checkpointFile);
  const given = keyFile === undefined ? undefined : readKeyFile(keyFile);

  const verification = await withDatabaseToRead(({ snapshot, config }) =>
    snapshot(async (reading) => {
      const { databaseSchema: schema, eventRetentionDays } = config;
      const fault = await findStructureFault(reading, schema);
      if (fault) return { fault };
      const keys =
        given ??
        new Map((await listSigningKeys(reading)).map(({ id, publicKey }) => [id, publicKey]));
      const forged = checkpoint && faultOfSignature(checkpoint, keys, keyFile);
      if (forged) return { fault: forged };
      return verifyLog(reading, checkpoint, {
        schema,
        keyOf: given && ((keyId) => given.get(keyId)),
        keptDays: eventRetentionDays ?? (await findRetentionDays(reading)) ?? 'forever',
        isKeptBySetting: eventRetentionDays === undefined,
      });
    }),
  );
  if (!('doubts' in verification) || verification.fault) {
    process.stderr.write(`${verification.fault?.message}\n`);
    process.exitCode = 1;
    return;
  }
  const { checked, firstId, lastId, hash, keysSince } = verification;
  process.stdout.write(
    checked === 0
      ? `0 events verified, the log is empty, hash ${hash}\n`
      : `${checked} events verified, ${firstId} to ${lastId}, hash ${hash}\n`,
  );
  const doubts = [
    ...verification.doubts,
    ...(checkpoint && !given ? doubtsOfKey(checkpoint, keysSince) : []),
  ];
  if (checkpoint && verification.isEndCompared) {
    const what = checkpoint.lastId < firstId ? ' the hash of the last removed event' : '';
    process.stdout.write(
      `The checkpoint of ${checkpoint.createdAt}, at event ${checkpoint.lastId}, matches${what}\n`,
    );
  }
  if (doubts.length > 0) {
    process.stderr.write(`${doubts.join('\n')}\n`);
    process.exitCode = 2;
  }
}
