import { systemActor } from '../modules/access/index.ts';
import { listSigningKeys, prepareSigningKey, rotateSigningKey } from '../modules/events/index.ts';
import { StartError } from '../platform/start-error.ts';
import { withDatabase } from './with-database.ts';

const usage = `burgee key export    print all public keys that sign checkpoints, or once did
burgee key rotate    make a new key; the old public key is kept`;

const exportKeys = () =>
  withDatabase(async ({ db, transact, config }) => {
    await transact(systemActor, (tx) => prepareSigningKey(tx, config.signingKeyFile));
    for (const { id, publicKey, createdAt, retiredAt } of await listSigningKeys(db)) {
      const until = retiredAt ? `retired ${retiredAt.toISOString()}` : 'current';
      // Text around a PEM block is ignored by everything that reads one.
      process.stdout.write(`${id}, since ${createdAt.toISOString()}, ${until}\n${publicKey}`);
    }
  });

const rotate = () =>
  withDatabase(async ({ transact, config }) => {
    const keyId = await transact(systemActor, (tx) => rotateSigningKey(tx, config.signingKeyFile));
    process.stdout.write(`Checkpoints are signed with the key ${keyId} from now on.\n`);
  });

export async function run([action]: readonly string[]): Promise<void> {
  if (action === 'export') return exportKeys();
  if (action === 'rotate') return rotate();
  throw new StartError(usage);
}
