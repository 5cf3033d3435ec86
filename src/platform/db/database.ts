import {
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  type RawBuilder,
  sql,
  Transaction,
} from 'kysely';
import type { Actor } from '../actor.ts';
import type { Clock } from '../clock.ts';

/** All tables. Each module's `tables.ts` adds its own. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Database {}

type Writing =
  | 'insertInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'replaceInto'
  | 'mergeInto'
  | 'transaction'
  | 'startTransaction'
  | 'schema'
  | 'connection'
  | 'withSchema'
  | 'withPlugin'
  | 'withoutPlugins'
  | 'withTables'
  | 'with'
  | 'withRecursive'
  | 'destroy';

/**
 * A read-only database handle: Kysely without anything that writes or leads to it. A transaction is one too. Raw SQL
 * could still write through it, so writing statements take `tx.db`.
 */
export type Db = Omit<Kysely<Database>, Writing>;

/** Runs several reads on one snapshot of the database. */
export type ReadSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

/** The database at a moment, and its time. */
interface Moment {
  readonly db: Db;
  /** The past is the same for all reads anyway. */
  readonly readSnapshot: ReadSnapshot;
  readonly now: Date;
}

/**
 * Returns the present, or what the actor may see of the moment that `asOf` of a request names: an event's ID, or an
 * instant. Throws if what was there then is unknown.
 */
export type ReadAt = (present: Db, actor: Actor, asOf: string | undefined) => Promise<Moment>;

export const createReadSnapshot =
  (db: Kysely<Database>): ReadSnapshot =>
  (work) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** A transaction in progress, passed to everything that writes. */
export interface Tx {
  readonly db: Transaction<Database>;
  readonly actor: Actor;
  /** The same instant for the whole transaction. */
  readonly now: Date;
}

export type Transact = <Result>(actor: Actor, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

const isDeadlock = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '40P01';

/** The last statements of a transaction. Long ones are sent one by one, the others together. */
interface ClosingStatements {
  readonly long: readonly RawBuilder<unknown>[];
  readonly last: readonly RawBuilder<unknown>[];
}

type Close = (tx: Tx) => Promise<ClosingStatements>;

/** How often a transaction is attempted if it loses a deadlock. */
const maxAttempts = 4;

/** Kysely's constructor requires a dialect. A transaction with its own connection never uses it. */
const unusedDialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction has its connection')),
});

/**
 * Creates a transaction on a connection. The caller begins and ends it, because Kysely's own transaction sends COMMIT
 * only after everything else was answered.
 */
export const transactionOnConnection = (
  db: Kysely<Database>,
  connection: DatabaseConnection,
): Transaction<Database> =>
  new Transaction({
    config: { dialect: unusedDialect },
    dialect: unusedDialect,
    driver: new DummyDriver(),
    executor: db.getExecutor().withConnectionProvider({
      provideConnection: (consume) => consume(connection),
    }),
  });

/** Sends statements without waiting in between, and throws the first failure: the later ones only follow from it. */
async function sendTogether(
  connection: Kysely<Database>,
  statements: readonly RawBuilder<unknown>[],
): Promise<void> {
  const ends = await Promise.allSettled(
    statements.map((statement) => statement.execute(connection)),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Sends the closing statements together with COMMIT, so that their locks are not held during a round trip. Every
 * transaction has one, even if it recorded nothing: if the failure of an earlier statement was swallowed, this
 * statement fails, while PostgreSQL would silently turn COMMIT into ROLLBACK.
 */
async function attempt<Result>(
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
  end: Close,
): Promise<Result> {
  // Under repeatable read, the head of the event chain would be read from an old snapshot.
  await sql`begin isolation level read committed`.execute(tx.db);
  try {
    const result = await work(tx);
    const { long, last } = await end(tx);
    for (const statement of long) await statement.execute(tx.db);
    await sendTogether(tx.db, last);
    return result;
  } catch (error) {
    // A lost connection has already rolled back; the original error matters.
    await sql`rollback`.execute(tx.db).catch(() => undefined);
    throw error;
  }
}

/**
 * Retries work that lost a deadlock, since it left no trace. The work must therefore have no effects outside its `Tx`.
 */
const createTransactEndingWith =
  (
    db: Kysely<Database>,
    clock: Clock,
    end: Close,
    onEnd: (tx: Tx) => void = () => undefined,
  ): Transact =>
  async (actor, work) => {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await db.getExecutor().provideConnection(async (connection) => {
          const tx: Tx = { db: transactionOnConnection(db, connection), actor, now: clock() };
          const result = await attempt(tx, work, end);
          onEnd(tx);
          return result;
        });
      } catch (error) {
        if (!isDeadlock(error) || attempts === maxAttempts) throw error;
      }
    }
  };

const appendStatement =
  (end: Close, by: RawBuilder<unknown>): Close =>
  async (tx) => {
    const { long, last } = await end(tx);
    return { long, last: [...last, by] };
  };

export const createTransact = (
  db: Kysely<Database>,
  clock: Clock,
  end: Close,
  onCommit?: (tx: Tx) => void,
): Transact => createTransactEndingWith(db, clock, appendStatement(end, sql`commit`), onCommit);

/** Runs a transaction like `transact` and rolls it back. Only the result is used. */
export const createRehearse = (db: Kysely<Database>, clock: Clock, end: Close): Transact =>
  createTransactEndingWith(db, clock, appendStatement(end, sql`rollback`));
