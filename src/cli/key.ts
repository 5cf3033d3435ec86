import { resealEverywhere } from '../app/installation.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { listSigningKeys, rotateSigningKey } from '../modules/events/index.ts';
import { retireOtherKeys } from '../platform/db/encryption-keys.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { withDatabase, withDatabaseToRead, withDatabaseUnderAnyKey } from './with-database.ts';

export const exportKeys = command({
  async run() {
    const keys = await withDatabaseToRead(({ db }) => listSigningKeys(db));
    if (keys.length === 0) {
      throw new StartError('No signing key yet. The server creates one at its first start');
    }
    for (const { id, publicKey, createdAt, retiredAt } of keys) {
      const until = retiredAt ? `retired ${retiredAt.toISOString()}` : 'current';
      // PEM parsers ignore text around a block.
      process.stdout.write(`${id}, since ${createdAt.toISOString()}, ${until}\n${publicKey}`);
    }
  },
});

export const rotate = command({
  options: {
    'to-database': {
      type: 'switch',
      does: 'replace the key in SIGNING_KEY_FILE with a key in the database',
    },
  },
  async run({ 'to-database': toDatabase }) {
    const keyId = await withDatabase(({ transact, config }) =>
      transact(systemActor, (tx) =>
        rotateSigningKey(tx, { file: config.signingKeyFile, toDatabase }),
      ),
    );
    process.stdout.write(`Checkpoints are now signed with key ${keyId}.\n`);
  },
});

export const reseal = command({
  options: {
    'give-up-lost': {
      type: 'switch',
      does: "discard secrets whose key isn't in ENCRYPTION_KEY",
    },
  },
  notes:
    'Set ENCRYPTION_KEY=new,old on every instance first. Afterwards, the old key is no longer needed.',
  async run({ 'give-up-lost': giveUpLost }) {
    const count = await withDatabaseUnderAnyKey(({ transact, encryptionKeys }) => {
      if (encryptionKeys.length === 0) throw new StartError('ENCRYPTION_KEY is not set');
      return transact(systemActor, async (tx) => {
        const resealed = await resealEverywhere(tx, encryptionKeys);
        await retireOtherKeys(tx, encryptionKeys, { giveUpLost });
        return resealed;
      });
    });
    process.stdout.write(
      `Re-encrypted ${count} stored secrets. All readable secrets now use the first key.\n`,
    );
  },
});
