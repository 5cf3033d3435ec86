import { type Config, readConfig } from '../app/config.ts';
import { findUnusedFolder, type OpenDatabase, openDatabase } from '../app/database.ts';
import { createSearchPool } from '../platform/db/connect.ts';
import { createReadSnapshot } from '../platform/db/database.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { command } from './command.ts';
import {
  checkDeliveries,
  checkDisk,
  checkKey,
  checkLog,
  checkPassword,
  checkRetention,
  checkSchema,
  checkServer,
} from './doctor/database-checks.ts';
import { type Finding, fail, warn } from './doctor/finding.ts';
import { checkBaseUrl, checkMail, checkSettings, checkVersions } from './doctor/setting-checks.ts';
import { Interrupted, interruptible } from './interruptible.ts';
import { printableLines } from './printable.ts';
import { withPoolOf } from './with-database.ts';

async function examineDatabase(
  config: Config,
  database: OpenDatabase,
  signal: AbortSignal,
): Promise<Finding[]> {
  const log = createLogger('silent');
  // The pool is read-only: a doctor changes nothing, not even the schema.
  const db = createSearchPool(database.connection, log, 2);
  return withPoolOf(db, signal, async () => {
    const patient = { config, database, db, snapshot: createReadSnapshot(db) };
    const { finding, isCurrent } = await checkSchema(db);
    const findings = [...(await checkServer(patient)), finding, await checkDisk(database)];
    if (!isCurrent) return findings;
    return [
      ...findings,
      await checkLog(patient),
      await checkRetention(patient),
      await checkKey(patient),
      ...(await checkDeliveries(patient)),
      ...(await checkPassword(patient)),
    ];
  });
}

const databaseAdvice = 'Follow the message, then run burgee doctor again.';

async function examineStorage(config: Config): Promise<Finding[]> {
  // A doctor creates no database, either.
  const unused = await findUnusedFolder(config);
  if (unused !== undefined) {
    return [
      warn(
        'database',
        `no database in ${unused} yet`,
        'Start the server to create it. If there should be one, check DATA_DIR.',
      ),
    ];
  }
  try {
    return await interruptible(async (signal) => {
      const settings = { ...config, doubts: [] };
      const log = createLogger('silent');
      const database = await openDatabase(settings, log, { exclusive: false, signal });
      try {
        return await examineDatabase(config, database, signal);
      } finally {
        await database.close();
      }
    });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Interrupted) throw error;
    // Whatever is wrong with the database is a finding, and the other checks go on.
    return [fail('database', error.message, databaseAdvice)];
  }
}

async function examine(): Promise<Finding[]> {
  const versions = checkVersions();
  let config: Config;
  try {
    config = readConfig(process.env, { logLevel: 'warn' });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return [...versions, fail('settings', error.message, 'Correct the variables.')];
  }
  return [
    ...versions,
    ...checkSettings(config),
    ...checkMail(config),
    ...(await examineStorage(config)),
    await checkBaseUrl(config),
  ];
}

const lineOf = ({ check, state, message, advice }: Finding): string =>
  `${state.padEnd(4)}  ${check}: ${message}${advice === undefined ? '' : `\n      ${advice}`}\n`;

export const doctor = command({
  options: { json: { type: 'switch', does: 'print JSON' } },
  notes:
    "Run it with the server's environment variables; the server can keep running. It changes nothing and prints no\nsecrets. " +
    'Exit code 0: no check failed; 1: at least one failed.',
  async run({ json }) {
    const findings = await examine();
    process.stdout.write(
      json
        ? `${JSON.stringify(findings, null, 2)}\n`
        : printableLines(findings.map(lineOf).join('')),
    );
    if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1;
  },
});
