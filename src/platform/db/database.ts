import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../clock.ts';

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

/** Who acts, built once per request (or by a job) and carried inside the transaction. */
export interface Actor {
  /** People are positive; tokens and the system are negative, and stable. */
  readonly id: number;
  readonly name: string;
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

/**
 * `beforeCommit` is the last statement of every transaction, one that recorded nothing included: a
 * statement whose failure was swallowed has doomed the transaction, and the last statement says so
 * instead of a COMMIT that PostgreSQL quietly turns into a ROLLBACK.
 */
export const createTransact =
  (db: Kysely<Database>, clock: Clock, beforeCommit: (tx: Tx) => Promise<void>): Transact =>
  (actor, work) =>
    db
      .transaction()
      // Under repeatable read the head of the event chain would be read from an old snapshot.
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        const tx: Tx = { db: transaction, actor, now: clock() };
        const result = await work(tx);
        await beforeCommit(tx);
        return result;
      });
