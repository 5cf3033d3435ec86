import { readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { encryptionKeysFor } from '../encryption-key.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { sayGenerated } from './say-generated.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);

export async function run(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  // The database starts while the code of the server is loaded: before bundling 0.25 s beside 0.5 s.
  const [database, { prepare, buildServer }] = await Promise.all([
    openDatabase(config, log, { exclusive: true, onGone: endWithout }),
    import('../server.ts'),
  ]);
  try {
    const encryptionKeys = await encryptionKeysFor(config.encryptionKeys, database.dataDir);
    const report = await prepare(database.connection, { ...config, encryptionKeys }, log);
    // At once: if anything fails from here on, they exist and would never be seen.
    sayGenerated(report, config.firstAdministrator);
    const { leftOver, notInForce } = report;
    const app = await buildServer({
      config: { ...config, encryptionKeys },
      connection: database.connection,
      log,
      // A thread has to begin with JavaScript: the compiler of the development server is not in it.
      background: import.meta.url.endsWith('.js') ? 'thread' : 'here',
    });
    try {
      await app.listen({ port: config.port, host: config.host });
    } catch (error) {
      await app.close();
      throw listenFailed(error as NodeJS.ErrnoException, config.port);
    }
    if (notInForce.length > 0) {
      log.warn(
        { tokens: notInForce },
        'tokens of INIT_*_API_TOKENS are revoked, expired or of another type, and stay so',
      );
    }
    if (leftOver.length > 0) {
      log.warn(
        { tokens: leftOver },
        'tokens that no longer stand in INIT_*_API_TOKENS stay valid until revoked (burgee token revoke NAME)',
      );
    }
    say(`Burgee is at ${config.baseUrl}`);
    stopOnSignal(async () => {
      await app.close();
      await database.close();
    });
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Without its database a server can change nothing and learn of nothing: it ends, so that whoever watches over
 * it notices. There is nothing left to wait for: all that could still be written would go to that database.
 */
function endWithout(error: StartError): void {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}

const listenFailed = (error: NodeJS.ErrnoException, port: number) => {
  if (error.code === 'EADDRINUSE') {
    return new StartError(`Port ${port} is taken. Stop what uses it, or set PORT to another one.`);
  }
  if (error.code === 'EACCES') return new StartError(`Port ${port} is not open to this account.`);
  return error;
};

/** The first signal stops gracefully: requests under way are answered. A second one ends at once. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
          process.exit(1);
        },
      );
    });
  }
}
