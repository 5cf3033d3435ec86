import type { Config } from './config.ts';
import { type Connection, inspectServer } from './platform/db/connect.ts';
import { startEmbedded } from './platform/db/embedded/index.ts';
import type { Logger } from './platform/log.ts';

export interface OpenDatabase {
  readonly connection: Connection;
  readonly close: () => Promise<void>;
}

/** The database that the configuration names: an external server, or the embedded one. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  options: { exclusive: boolean },
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl };
    const { host, pathname } = new URL(config.databaseUrl);
    await inspectServer(connection, log, `the database ${pathname.slice(1)} on ${host}`);
    return { connection, close: async () => undefined };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    exclusive: options.exclusive,
    log: (message) => log.info(message),
  });
  return { connection: embedded.connection, close: () => embedded.stop() };
}
