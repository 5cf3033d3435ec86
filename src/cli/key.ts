import { parseArgs } from 'node:util';
import { systemActor } from '../modules/access/index.ts';
import { listSigningKeys, rotateSigningKey } from '../modules/events/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase, withDatabaseToRead } from './with-database.ts';

const usage = `burgee key export                     print all public keys that sign checkpoints, or once did
burgee key rotate [--to-database]     make a new key; the old public key is kept

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

export async function run([action, ...args]: readonly string[]): Promise<void> {
  if (action === 'export') return exportKeys();
  if (action === 'rotate') return rotate(args);
  throw new StartError(usage);
}
