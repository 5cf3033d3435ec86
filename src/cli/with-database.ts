import type { Kysely } from 'kysely';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { transactOn } from '../installation.ts';
import { createWritePool } from '../platform/db/connect.ts';
import type { Database, Transact } from '../platform/db/database.ts';
import { migrate } from '../platform/db/migrate.ts';
import { createLogger, type Logger } from '../platform/log.ts';

export interface CommandContext {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly config: Config;
  readonly log: Logger;
}

/** Runs a command on the configured database, beside a running server where there is one. */
export async function withDatabase<Result>(
  work: (context: CommandContext) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env);
  const log = createLogger(process.env.LOG_LEVEL === undefined ? 'warn' : config.logLevel);
  const database = await openDatabase(config, log, { exclusive: false });
  try {
    const db = createWritePool(database.connection, log, 2);
    try {
      await migrate(db);
      return await work({ db, transact: transactOn(db), config, log });
    } finally {
      await db.destroy();
    }
  } finally {
    await database.close();
  }
}
