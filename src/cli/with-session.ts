import { type Config, readConfig } from '../app/config.ts';
import {
  explainedFailure,
  findUnusedFolder,
  type OpenDatabase,
  openDatabase,
} from '../app/database.ts';
import { type OneSession, openSession } from '../platform/db/one-session.ts';
import { defaultSchema } from '../platform/db/session.ts';
import { createLogger } from '../platform/log.ts';
import { StartError } from '../platform/start-error.ts';
import { interruptible, whenAborted } from './interruptible.ts';

interface SessionContext {
  readonly session: OneSession;
  readonly schema: string;
  readonly config: Config;
  readonly database: OpenDatabase;
}

/** Runs a command in one session on the configured database. An exclusive one refuses a server on the same data folder. */
export async function withSession<Result>(
  name: string,
  { exclusive, mayCreate }: { readonly exclusive: boolean; readonly mayCreate: boolean },
  work: (context: SessionContext) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env, { logLevel: 'warn' });
  const unused = mayCreate ? undefined : await findUnusedFolder(config);
  if (unused !== undefined) {
    throw new StartError(`No database found in ${unused}. Set DATA_DIR or DATABASE_URL.`);
  }
  const log = createLogger(config.logLevel);
  return interruptible(async (signal) => {
    const database = await openDatabase(config, log, { exclusive, signal });
    try {
      const session = await openSession(database.connection, name);
      try {
        // The work fails without its session.
        whenAborted(signal, () => void session.end());
        const schema = database.connection.schema ?? defaultSchema;
        return await work({ session, schema, config, database });
      } catch (error) {
        throw explainedFailure(error, database);
      } finally {
        await session.end();
      }
    } finally {
      await database.close();
    }
  });
}
