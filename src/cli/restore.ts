import { readEncryptionKeys } from '../app/encryption-key.ts';
import { checkBackup } from '../backup/check.ts';
import type { Manifest } from '../backup/manifest.ts';
import {
  type Contents,
  findContents,
  requireNobodyElse,
  restoreBackup,
} from '../backup/restore.ts';
import { missingKeys } from '../platform/db/encryption-keys.ts';
import { StartError } from '../platform/start-error.ts';
import { fileOf, summaryOf } from './backup.ts';
import { command } from './command.ts';
import { printable } from './printable.ts';
import { withSession } from './with-session.ts';

const textOf = ({ events, lastEventAt, projects, features, users }: Contents): string =>
  `${events} events${lastEventAt ? `, the last of ${lastEventAt.toISOString()}` : ''}, ${projects} projects, ${features} features and ${users} users`;

/** Refuses a restore whose secrets could not be read afterwards. */
function requireKeys({ encryptionKeys }: Manifest, keys: readonly Buffer[]): void {
  const proofs = encryptionKeys.map(({ id, proof }) => ({ id, proof: Buffer.from(proof, 'hex') }));
  const missing = missingKeys(proofs, keys);
  if (missing.length === 0) return;
  const what = keys.length === 0 ? 'no key is set' : 'a different key is set';
  throw new StartError(
    `The backup's secrets are encrypted with key ${missing.join(', ')}, but ${what}. ` +
      'Set ENCRYPTION_KEY to that key; for a backup of an embedded database it is the content of encryption.key in its data folder. ' +
      'If the key is lost, add --without-key. Nothing was changed.',
  );
}

export const restore = command({
  options: {
    replace: { type: 'switch', does: 'overwrite the data in the database' },
    'without-key': {
      type: 'switch',
      does: 'restore without the encryption key; stored secrets are lost',
    },
    'accept-broken-log': {
      type: 'switch',
      does: 'restore an event log that was already broken when it was backed up',
    },
  },
  operand: { name: 'FILE', required: true },
  notes:
    'Restores into DATABASE_URL or the embedded database in DATA_DIR; the backup can be from either.\n' +
    'Stop all servers first. The file is verified before the restore, and the event log at the end. Everything happens in\n' +
    'one transaction: if anything fails, the database stays as it was.',
  async run(options, operand) {
    const file = fileOf(operand);
    const checked = await checkBackup(file);
    const { manifest, chainFault } = checked;
    const acceptBrokenLog = options['accept-broken-log'];
    if (chainFault !== undefined && !acceptBrokenLog) {
      throw new StartError(
        `Event log verification failed in ${file}: ${chainFault}. To restore it anyway, add --accept-broken-log. Nothing was changed.`,
      );
    }
    process.stdout.write(`${file} is complete: ${summaryOf(checked)}.\n`);
    await withSession(
      'burgee restore',
      { exclusive: true, mayCreate: true },
      async ({ session, schema, config, database }) => {
        const keys = await readEncryptionKeys(config.encryptionKeys, database.dataDir);
        if (!options['without-key']) requireKeys(manifest, keys);
        await requireNobodyElse(session);
        const contents = await findContents(session, schema);
        if (contents && !options.replace) {
          throw new StartError(
            `${database.described} isn't empty: ${textOf(contents)}. To overwrite it with the backup, add --replace. Nothing was changed.`,
          );
        }
        if (contents) process.stdout.write(`Replacing ${textOf(contents)}.\n`);
        const { verification, migrated } = await restoreBackup(session, file, manifest, {
          schema,
          acceptBrokenLog,
        });
        process.stdout.write(
          `Restored into ${database.described}. ${verification.checked} events verified.\n` +
            (migrated.length > 0 ? `Migrated: ${migrated.join(', ')}\n` : '') +
            (options['without-key']
              ? 'If the encryption key is lost, run burgee key reseal --give-up-lost before you start the server.\n'
              : ''),
        );
        if (verification.fault) {
          process.stderr.write(
            `The event log is broken: ${printable(verification.fault.message)}\n`,
          );
          process.exitCode = 2;
        }
      },
    );
  },
});
