import type { Config } from './config.ts';
import { type Connection, inspectServer } from './platform/db/connect.ts';
import { startEmbedded } from './platform/db/embedded/index.ts';
import type { Logger } from './platform/log.ts';
import type { StartError } from './platform/start-error.ts';

export interface OpenDatabase {
  readonly connection: Connection;
  /** The folder that the embedded server lives in; undefined where it is an external one. */
  readonly dataDir: string | undefined;
  readonly close: () => Promise<void>;
}

/** The database that the configuration names: an external server, or the embedded one. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'databaseSchema'>>,
  log: Logger,
  options: { exclusive: boolean; onGone?: (error: StartError) => void },
): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const connection = { connectionString: config.databaseUrl, schema: config.databaseSchema };
    const { host, pathname } = new URL(config.databaseUrl);
    await inspectServer(connection, log, `the database ${pathname.slice(1)} on ${host}`);
    return { connection, dataDir: undefined, close: async () => undefined };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    ...options,
    log: (message) => log.info(message),
    warn: (message) => log.warn(message),
  });
  const { connection, dataDir } = embedded;
  return { connection, dataDir, close: () => embedded.stop() };
}
