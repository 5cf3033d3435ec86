import { resolve } from 'node:path';
import { type Connection, inspectServer } from '../platform/db/connect.ts';
import { diskFull, ranOutOfSpace } from '../platform/db/embedded/failure.ts';
import { isUnused, maxEmbeddedConnections, startEmbedded } from '../platform/db/embedded/index.ts';
import { errorCodeOf, isOutage } from '../platform/db/outage.ts';
import type { Logger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import type { Config } from './config.ts';

export interface OpenDatabase {
  readonly connection: Connection;
  /** A readable description of the database. */
  readonly described: string;
  /** The folder of the embedded server; undefined for an external one. */
  readonly dataDir: string | undefined;
  /** How many connections this account may have to it, all instances and commands together. */
  readonly maxConnections: number;
  readonly close: () => Promise<void>;
}

/** The data folder, if it has no database yet. For commands that must not create one, as in a folder that is mistyped. */
export async function findUnusedFolder({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<string | undefined> {
  if (databaseUrl !== undefined || !(await isUnused(dataDir))) return undefined;
  return resolve(dataDir);
}

/** PostgreSQL's code for a refused table or schema. */
const insufficientPrivilege = '42501';

/**
 * Explains an error of the database to the operator, if it is one that they can fix: a full disk, for which an embedded
 * PostgreSQL only closes its connections, or an account without access to the tables.
 */
export function explainedFailure(
  error: unknown,
  { dataDir }: Pick<OpenDatabase, 'dataDir'>,
): unknown {
  if (dataDir !== undefined && isOutage(error) && ranOutOfSpace(dataDir)) return diskFull(dataDir);
  if (errorCodeOf(error) === insufficientPrivilege) {
    return new StartError(
      `The account in DATABASE_URL has no access: ${(error as Error).message}. Connect as the owner of Burgee's tables, or grant the account access to them.`,
      { cause: error },
    );
  }
  return error;
}

/** The database that the configuration names: an external server, or the embedded one. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> &
    Partial<Pick<Config, 'databaseSchema' | 'doubts'>>,
  log: Logger,
  options: {
    exclusive: boolean;
    onGone?: (error: StartError) => void;
    /** Ends the start of an embedded database. */
    signal?: AbortSignal;
  },
): Promise<OpenDatabase> {
  for (const doubt of config.doubts ?? []) log.warn(doubt);
  if (config.databaseUrl !== undefined) {
    const { host, pathname } = new URL(config.databaseUrl);
    const described = `the database ${pathname.slice(1)} on ${host}`;
    const given = { connectionString: config.databaseUrl, schema: config.databaseSchema };
    const found = await inspectServer(given, log, described);
    return { ...found, described, dataDir: undefined, close: async () => undefined };
  }
  const embedded = await startEmbedded({
    dataDir: config.dataDir,
    ...options,
    log: (message) => log.info(message),
    warn: (message) => log.warn(message),
    // For whoever sits in front of the terminal. The log of a command is silent.
    tell: (message) => process.stderr.write(`${message}\n`),
  });
  const { connection, dataDir } = embedded;
  return {
    connection,
    described: `the embedded database in ${dataDir}`,
    dataDir,
    maxConnections: maxEmbeddedConnections,
    close: () => embedded.stop(),
  };
}
