import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Audience } from '../contract/endpoint.ts';
import { awaitPipelined, beginStatement, transactionOnConnection } from './pipeline.ts';

/** Every table, merged in by the `tables.ts` of the module that owns it. */
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
 * What a reader is handed: everything of Kysely that cannot write, nor lead to something that can. A
 * transaction is one too. Raw SQL could write through it: a statement that does is given `tx.db`.
 */
export type Db = Omit<Kysely<Database>, Writing>;

/** Several reads that see one state of the database. */
export type ReadSnapshot = <Result>(work: (db: Db) => Promise<Result>) => Promise<Result>;

export const createReadSnapshot =
  (db: Kysely<Database>): ReadSnapshot =>
  (work) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);

/** What a token reaches. */
export interface Reach {
  readonly audience: Audience | 'admin';
  /** Null: whichever is asked for. */
  readonly environment: string | null;
  readonly scopes: 'all' | readonly string[];
}

/** Who acts, built once per request (or by a job) and carried inside the transaction. */
export interface Actor {
  /** People are positive; tokens and the system are negative, and stable. */
  readonly id: number;
  readonly name: string;
  readonly kind: 'person' | 'service account' | 'token' | 'system';
  /** The session of a person who signed in, where the request came with its cookie. */
  readonly session?: string;
  /** When the token of the request ends by itself, where it is somebody's own and does. */
  readonly tokenEndsAt?: Date;
  /** Of a token that was made for programs. */
  readonly reach?: Reach;
  readonly ip: string | null;
  readonly requestId: string | null;
  /**
   * Whether a permission is held, in a scope (a part of the installation) where one is named. The
   * permission `none` is held by everybody who may use the API at all.
   */
  readonly may: (permission: string, scope?: string, environment?: string) => boolean;
  /** The scopes whose existence may be known: all, or these. */
  readonly sees: 'all' | ReadonlySet<string>;
}

/** A transaction under way: what a writer is handed. */
export interface Tx {
  readonly db: Transaction<Database>;
  readonly actor: Actor;
  /** One instant for the whole transaction. */
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

/** How often a transaction that lost a deadlock is tried. */
const maxAttempts = 4;

/**
 * The last statements are sent together with COMMIT, so that their locks are not held during a round trip. Every
 * transaction has one, even if it recorded nothing. If the failure of an earlier statement was swallowed, this one
 * fails, while PostgreSQL would quietly turn a COMMIT into a ROLLBACK.
 */
async function attempt<Result>(
  connection: Kysely<Database>,
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
  end: Close,
): Promise<Result> {
  await sql.raw(beginStatement).execute(connection);
  try {
    const result = await work(tx);
    const { long, last } = await end(tx);
    for (const statement of long) await statement.execute(connection);
    await awaitPipelined(...last.map((statement) => statement.execute(connection)));
    return result;
  } catch (error) {
    // A connection that is lost has rolled back by itself; what matters is why.
    await sql`rollback`.execute(connection).catch(() => undefined);
    throw error;
  }
}

/** Work that lost a deadlock has left no trace and is done again. So it may touch nothing but its `Tx`. */
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
          const result = await attempt(tx.db, tx, work, end);
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

/** Does all that `transact` does, and rolls back: only the result is wanted. */
export const createRehearse = (db: Kysely<Database>, clock: Clock, end: Close): Transact =>
  createTransactEndingWith(db, clock, appendStatement(end, sql`rollback`));
