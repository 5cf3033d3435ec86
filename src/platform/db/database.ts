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

/** The statements that a transaction ends with: those that may be long are sent one by one, the others together. */
interface Ending {
  readonly long: readonly RawBuilder<unknown>[];
  readonly last: readonly RawBuilder<unknown>[];
}

type End = (tx: Tx) => Promise<Ending>;

/** Of two that waited for each other PostgreSQL ended one; so many times it may begin anew. */
const maxAttempts = 4;

/**
 * The last statements of a transaction travel with its end: whatever they lock is held for no trip to
 * the client and back. Every transaction has one, also when it recorded nothing: a statement whose
 * failure was swallowed has doomed the transaction, and the last statement says so instead of a COMMIT
 * that PostgreSQL quietly turns into a ROLLBACK.
 */
async function attempt<Result>(
  connection: Kysely<Database>,
  tx: Tx,
  work: (tx: Tx) => Promise<Result>,
  end: End,
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

/** Work that lost a deadlock has left no trace, and is done again: it may touch nothing but its `Tx`. */
const createEnding =
  (
    db: Kysely<Database>,
    clock: Clock,
    end: End,
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

const endingWith =
  (end: End, by: RawBuilder<unknown>): End =>
  async (tx) => {
    const { long, last } = await end(tx);
    return { long, last: [...last, by] };
  };

export const createTransact = (
  db: Kysely<Database>,
  clock: Clock,
  end: End,
  onCommit?: (tx: Tx) => void,
): Transact => createEnding(db, clock, endingWith(end, sql`commit`), onCommit);

/** Does all that `transact` does, the last statements too, for the answer alone: it ends in a rollback. */
export const createRehearse = (db: Kysely<Database>, clock: Clock, end: End): Transact =>
  createEnding(db, clock, endingWith(end, sql`rollback`));
