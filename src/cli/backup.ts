import { resolve } from 'node:path';
import { type CheckedBackup, checkBackup } from '../backup/check.ts';
import { writeBackup } from '../backup/write.ts';
import { counted } from '../platform/counted.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { printable } from './printable.ts';
import { withSession } from './with-session.ts';

/** The file that the operator named. A backup is read back, so it is never a stream. */
export function fileOf(operand: string | undefined): string {
  if (operand !== undefined && operand !== '' && operand !== '-') return resolve(operand);
  throw new StartError(
    "FILE must be a file name: backups can't be written to standard output or read from standard input.",
  );
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Describes a backup that was read whole. */
export function summaryOf({ manifest, size }: CheckedBackup): string {
  const { tables, log, createdAt, burgee, postgres } = manifest;
  const rows = (table: string) => tables[table]?.rows ?? 0;
  return [
    `${megabytes(size)}, of ${printable(createdAt)}, by Burgee ${printable(burgee)} on PostgreSQL ${printable(postgres)}`,
    `${counted(rows('events'), 'event')}, ${counted(rows('projects'), 'project')}, ${counted(rows('features'), 'feature')}, ${counted(rows('users'), 'user')} in ${Object.keys(tables).length} tables`,
    `The event log ends at event ${log.lastId} with the hash ${log.hash}`,
  ].join('\n');
}

/** Says which key a restore needs. */
function sayKeys({ manifest }: CheckedBackup, dataDir: string | undefined): string {
  const names = manifest.encryptionKeys.map(({ id }) => id).join(', ');
  if (names === '') return 'No encrypted secrets, so restoring needs no key.';
  const where =
    dataDir === undefined ? 'ENCRYPTION_KEY' : `ENCRYPTION_KEY or ${dataDir}/encryption.key`;
  return `The backup contains encrypted secrets but not their key (${names}). Store a copy of ${where} separately; you need it to restore.`;
}

export const backup = command({
  operand: { name: 'FILE', required: true },
  notes:
    'The file is a tar archive with one compressed file per table. It is written under a temporary name, read back, and\n' +
    'then renamed. Protect it: it contains password hashes and, unless you use SIGNING_KEY_FILE, the private key that\n' +
    "signs checkpoints. It doesn't contain the key that encrypts stored secrets.\n\n" +
    "Exit code 1: no file was written; 2: the file is complete, but the event log isn't intact.",
  async run(_options, operand) {
    const file = fileOf(operand);
    const { checked, dataDir } = await withSession(
      'burgee backup',
      { exclusive: false, mayCreate: false },
      async ({ session, schema, database }) => ({
        checked: await writeBackup(session, schema, file),
        dataDir: database.dataDir,
      }),
    );
    process.stdout.write(
      `Wrote and verified ${file}: ${summaryOf(checked)}.\n${sayKeys(checked, dataDir)}\n`,
    );
    if (checked.chainFault === undefined) return;
    process.stderr.write(
      `Event log verification failed in both the database and the backup: ${checked.chainFault}. Run burgee verify.\n`,
    );
    process.exitCode = 2;
  },
});

export const check = command({
  operand: { name: 'FILE', required: true },
  notes: "Needs no database. Exit code 1: the file is damaged; 2: its event log isn't intact.",
  async run(_options, operand) {
    const file = fileOf(operand);
    const checked = await checkBackup(file);
    process.stdout.write(`${file} is complete: ${summaryOf(checked)}.\n`);
    if (checked.chainFault === undefined) return;
    process.stderr.write(`Its event log isn't intact: ${checked.chainFault}.\n`);
    process.exitCode = 2;
  },
});
