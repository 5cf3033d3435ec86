import type { Kysely } from 'kysely';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { encryptionKeysFor } from '../encryption-key.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { createWritePool } from '../platform/db/connect.ts';
import {
  createReadSnapshot,
  type Database,
  type Db,
  type ReadSnapshot,
  type Transact,
} from '../platform/db/database.ts';
import { requireEncryptionKeys } from '../platform/db/encryption-keys.ts';
import { migrate, requireCurrentSchema } from '../platform/db/migrate.ts';
import { createLogger } from '../platform/log.ts';
import { transactOn } from '../transact.ts';

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
  const database = await openDatabase(config, log, { exclusive: false });
  try {
    const db = createWritePool(database.connection, log, 2);
    try {
      return await work(db, config, database.dataDir);
    } finally {
      await db.destroy();
    }
  } finally {
    await database.close();
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
