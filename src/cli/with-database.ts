import type { Kysely } from 'kysely';
import { type Config, readConfig } from '../app/config.ts';
import { explainedFailure, openDatabase } from '../app/database.ts';
import { encryptionKeysFor } from '../app/encryption-key.ts';
import { transactOn } from '../app/transact.ts';
import { migrate, requireCurrentSchema } from '../migrations/migrate.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { createWritePool, trackConnections } from '../platform/db/connect.ts';
import {
  createReadSnapshot,
  type Database,
  type Db,
  type ReadSnapshot,
  type Transact,
} from '../platform/db/database.ts';
import { requireEncryptionKeys } from '../platform/db/encryption-keys.ts';
import { createLogger } from '../platform/log.ts';
import { interruptible, orAbandoned } from './interruptible.ts';

export interface CommandContext {
  readonly db: Kysely<Database>;
  readonly transact: Transact;
  readonly config: Config;
  /** All keys that may have encrypted stored secrets; the first is the current one. */
  readonly encryptionKeys: readonly Buffer[];
}

async function withPool<Result>(
  work: (db: Kysely<Database>, config: Config, dataDir: string | undefined) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env, { logLevel: 'warn' });
  const log = createLogger(config.logLevel);
  return interruptible(async (signal) => {
    const database = await openDatabase(config, log, { exclusive: false, signal });
    try {
      const db = createWritePool(database.connection, log, 2);
      return await withPoolOf(db, signal, () => work(db, config, database.dataDir));
    } catch (error) {
      throw explainedFailure(error, database);
    } finally {
      await database.close();
    }
  });
}

/**
 * Runs work on a pool. If it is interrupted, its connections are closed at once: PostgreSQL, if this command has started
 * it, is stopped only when no one is connected any more.
 */
export async function withPoolOf<Result>(
  db: Kysely<Database>,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const closeAll = trackConnections(db);
  try {
    return await orAbandoned(signal, work());
  } finally {
    // What was abandoned may have a connection of the pool, which would wait for it.
    if (signal.aborted) await closeAll();
    else await db.destroy();
  }
}

/** Like `withDatabase`, without checking which keys encrypted the stored secrets. */
export const withDatabaseUnderAnyKey = <Result>(
  work: (context: CommandContext) => Promise<Result>,
) =>
  withPool(async (db, config, dataDir) => {
    await migrate(db);
    const encryptionKeys = await encryptionKeysFor(config.encryptionKeys, dataDir);
    return work({ db, transact: transactOn(db), config, encryptionKeys });
  });

/** Runs a command on the configured database, also while a server is running on it. */
export const withDatabase = <Result>(work: (context: CommandContext) => Promise<Result>) =>
  withDatabaseUnderAnyKey(async (context) => {
    const { transact, encryptionKeys } = context;
    // A command may run without a key. With a wrong key it would store secrets that the server cannot decrypt.
    await transact(systemActor, (tx) =>
      requireEncryptionKeys(tx, encryptionKeys, { mayLack: true }),
    );
    return work(context);
  });

interface ReadingContext {
  readonly db: Db;
  readonly snapshot: ReadSnapshot;
  readonly config: Config;
}

/** Runs a command that changes nothing, not even the schema. A read-only account is enough. */
export const withDatabaseToRead = <Result>(work: (context: ReadingContext) => Promise<Result>) =>
  withPool(async (db, config) => {
    await requireCurrentSchema(db);
    return work({ db, snapshot: createReadSnapshot(db), config });
  });
