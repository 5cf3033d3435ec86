import { parseArgs } from 'node:util';
import { resealEverywhere } from '../installation.ts';
import { systemActor } from '../modules/access/index.ts';
import { listSigningKeys, rotateSigningKey } from '../modules/events/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee key export                     print all public keys that sign checkpoints, or once did
burgee key rotate [--to-database]     make a new key; the old public key is kept
burgee key reseal                     encrypt stored secrets under the first ENCRYPTION_KEY

--to-database lets a key in the database take over from one in SIGNING_KEY_FILE.`;

async function exportKeys(): Promise<void> {
  const keys = await withDatabaseToRead(({ db }) => listSigningKeys(db));
  if (keys.length === 0) {
    throw new StartError('There is no signing key yet: the server makes one when it starts');
  }
  for (const { id, publicKey, createdAt, retiredAt } of keys) {
    const until = retiredAt ? `retired ${retiredAt.toISOString()}` : 'current';
    // Text around a PEM block is ignored by everything that reads one.
    process.stdout.write(`${id}, since ${createdAt.toISOString()}, ${until}\n${publicKey}`);
  }
}

async function rotate(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { 'to-database': { type: 'boolean', default: false } },
  });
  const keyId = await withDatabase(({ transact, config }) =>
    transact(systemActor, (tx) =>
      rotateSigningKey(tx, { file: config.signingKeyFile, toDatabase: values['to-database'] }),
    ),
  );
  process.stdout.write(`Checkpoints are signed with the key ${keyId} from now on.\n`);
}

/** With ENCRYPTION_KEY=new,old on every instance; afterwards the old one is needed no more. */
async function reseal(): Promise<void> {
  const count = await withDatabase(({ transact, encryptionKeys }) => {
    if (encryptionKeys.length === 0) throw new StartError('ENCRYPTION_KEY is not set');
    return transact(systemActor, (tx) => resealEverywhere(tx, encryptionKeys));
  });
  process.stdout.write(
    `${count} stored secrets were encrypted anew; all that can be read are under the first key.\n`,
  );
}

export async function run([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'export') return exportKeys();
  if (action === 'rotate') return rotate(args);
  if (action === 'reseal') return reseal();
  throw new StartError(usage);
}
