import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Config, readConfig } from '../app/config.ts';
import { fittingPool } from '../app/connections.ts';
import { type OpenDatabase, openDatabase } from '../app/database.ts';
import { encryptionKeysFor } from '../app/encryption-key.ts';
import type { InstallationReport } from '../app/installation.ts';
import type { MigrationReport } from '../migrations/migrate.ts';
import { listen } from '../platform/http/http-server.ts';
import { createLogger, type Logger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { version } from '../platform/version.ts';
import { command } from './command.ts';
import { printCredentials } from './print-credentials.ts';
import { type Stop, stopOnSignal } from './stop-on-signal.ts';

/** Prints a message for people on standard error. Standard output contains only JSON log lines, for log collectors. */
const say = (text: string) => process.stderr.write(`${text}\n`);

export const serve = command({
  notes:
    'All settings are environment variables; docs/configuration.md lists them. The log goes to standard output as JSON lines;\nmessages for the operator go to standard error. SIGTERM and Ctrl-C stop the server gracefully.',
  run: start,
});

async function start(): Promise<void> {
  const config = await withRealPort(readConfig(process.env));
  const log = createLogger(config.logLevel);
  const stop = stopOnSignal(log);
  // The database starts while the server's code loads: before bundling, 0.25 s and 0.5 s in parallel.
  const stopping = new AbortController();
  const { signal } = stopping;
  const opening = openDatabase(config, log, { exclusive: true, onGone: endWithout, signal });
  const close = async () => {
    stopping.abort();
    await (await opening.catch(() => undefined))?.close();
  };
  stop.atEnd(close);
  try {
    const [database, server] = await Promise.all([opening, import('../app/server.ts')]);
    await serveOn(database, server, { config, log, stop });
  } catch (error) {
    // Failures during a stop are expected.
    if (stop.isStopping()) return;
    await close();
    throw error;
  }
}

interface Serving {
  readonly config: Config;
  readonly log: Logger;
  readonly stop: Stop;
}

async function serveOn(
  database: OpenDatabase,
  { prepare, buildServer }: typeof import('../app/server.ts'),
  { config, log, stop }: Serving,
): Promise<void> {
  const encryptionKeys = await encryptionKeysFor(config.encryptionKeys, database.dataDir);
  const settings = {
    ...config,
    encryptionKeys,
    dataDir: database.dataDir,
    databasePoolMax: fittingPool(config.databasePoolMax, database.maxConnections),
  };
  // Before the first start creates credentials, which are printed only once.
  await freePort(config);
  const report = await prepare(database.connection, settings, log);
  // Printed at once: if a later step fails, the credentials exist and would never be printed.
  printCredentials(report, config.firstAdministrator, process.stderr);
  logStart(log, config, database, report);
  warnOfSettings(log, config, database, settings);
  const app = await buildServer({
    config: settings,
    connection: database.connection,
    log,
    // A thread must start from JavaScript, because the development server's compiler does not run in threads.
    background: import.meta.url.endsWith('.js') ? 'thread' : 'here',
    drain: stop.drain,
  });
  stop.atEnd(() => app.close());
  try {
    await listen(app, config);
  } catch (error) {
    await app.close();
    throw listenFailed(error as NodeJS.ErrnoException, config);
  }
  warnOfTokens(log, report);
  say(`Burgee ${version}, with ${database.described}`);
  say(`Burgee is running at ${config.baseUrl}`);
}

/** Replaces port 0 by a free port before the configuration is used, because links contain the port. */
async function withRealPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const port = await freePort(config);
  return { ...config, port, baseUrl: config.baseUrl.replace(/:0$/, `:${port}`) };
}

/** Returns the configured port, or any free one if it is 0. Fails if the port cannot be used. */
async function freePort(config: Config): Promise<number> {
  const probe = createServer().listen(config.port, config.host);
  try {
    await once(probe, 'listening');
  } catch (error) {
    throw listenFailed(error as NodeJS.ErrnoException, config);
  }
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  return typeof address === 'object' && address ? address.port : config.port;
}

function logStart(
  log: Logger,
  { databaseSchema, port, host }: Config,
  { described, dataDir }: OpenDatabase,
  { ran }: MigrationReport,
): void {
  const schema = dataDir === undefined ? { schema: databaseSchema } : {};
  log.info(
    { version, node: process.version, database: described, ...schema, host, port },
    'starting',
  );
  if (ran.length === 0) return;
  // Short, because the credentials of the first start are above it.
  log.info({ migrations: ran.length, last: ran.at(-1) }, 'database schema migrated');
  log.debug({ migrations: ran }, 'migrations that ran');
}

function warnOfSettings(
  log: Logger,
  { databasePoolMax: configured }: Config,
  { maxConnections }: OpenDatabase,
  settings: Pick<Config, 'databasePoolMax' | 'encryptionKeys'>,
): void {
  if (settings.databasePoolMax < configured) {
    log.warn(
      { configured, databasePoolMax: settings.databasePoolMax, maxConnections },
      'lowered DATABASE_POOL_MAX: the instance would need more connections than the database allows',
    );
  }
  if (settings.encryptionKeys.length === 0) {
    log.warn(
      "ENCRYPTION_KEY is not set: secrets of integrations and OpenID Connect can't be stored, and SDK tokens are shown only once",
    );
  }
}

function warnOfTokens(log: Logger, { notInForce, leftOver, notMade }: InstallationReport): void {
  for (const reason of notMade) log.warn(reason);
  if (notInForce.length > 0) {
    log.warn(
      { tokens: notInForce },
      'ignored tokens in INIT_*_API_TOKENS that are revoked, expired, or of another type',
    );
  }
  if (leftOver.length > 0) {
    log.warn(
      { tokens: leftOver },
      'tokens removed from INIT_*_API_TOKENS stay valid until revoked (burgee token revoke NAME)',
    );
  }
}

/**
 * Ends the process after the database is lost: the server can neither read nor write, and a supervisor can restart it.
 * No graceful stop is needed, because all pending work would need the database.
 */
function endWithout(error: StartError): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const listenFailed = (error: NodeJS.ErrnoException, { port, host }: Config) => {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.`,
      );
    case 'EACCES':
      return new StartError(`Permission denied: this account can't listen on port ${port}.`);
    case 'EADDRNOTAVAIL':
      return new StartError(`HOST=${host} isn't an address of this machine.`);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartError(`Couldn't resolve HOST=${host} (${error.code}).`);
    default:
      return error;
  }
};
