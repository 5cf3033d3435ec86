/**
 * Fewer trips to PostgreSQL (ADR 9). A trip costs about 0.2 ms on two cores, and a clone made 23 of them. This file is
 * the one place that reaches around the driver and Kysely for that. It has four parts, which need each other:
 *
 * 1. The driver's own `pipeline` mode (`connect.ts`) sends a statement without waiting for the answer to the one before.
 * 2. `installPipelining` changes `query` of one connection. `begin` is held back until the first statement, and leaves
 *    with it. Statements with parameters are prepared once, under a name. What is sent in one turn of the event loop
 *    leaves in one write.
 * 3. `transactionOnConnection` makes a transaction of Kysely that hands each statement to the driver at once. Kysely's
 *    own holds each back until the one before is answered.
 * 4. `awaitPipelined` waits for statements that were sent so, and finds the failure that the others come from.
 *
 * Statements of a connection are answered in the order in which they were sent, with or without this.
 */
import type { Socket } from 'node:net';
import {
  type DatabaseConnection,
  DummyDriver,
  type Kysely,
  PostgresDialect,
  Transaction,
} from 'kysely';
import type pg from 'pg';
import type { Database } from './database.ts';

/** More texts than the service has. A text that is made anew each time must not fill the server's memory. */
const maxPrepared = 500;

/** Under repeatable read the head of the event chain would be read from an old snapshot. */
export const beginStatement = 'begin isolation level read committed';

type Query = (...query: unknown[]) => Promise<unknown>;

/**
 * Makes a connection save trips. To parse and plan each statement anew took two thirds of the 8.6 ms that a clone took
 * in the database. `names` are the names of prepared statements by their text, for all connections of a pool.
 */
export function installPipelining(client: pg.PoolClient, names: Map<string, string>): void {
  const send = client.query.bind(client) as Query;
  const writeOnce = createWriteOnce(client);
  let isBeginHeld = false;

  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= maxPrepared) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  };

  const query: Query = (text, values, ...rest) => {
    if (text === beginStatement) {
      isBeginHeld = true;
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] });
    }
    writeOnce();
    if (isBeginHeld) {
      isBeginHeld = false;
      // It can only fail with the connection, and then the statement behind it fails, too.
      send(beginStatement).catch(() => undefined);
    }
    const name =
      typeof text === 'string' && Array.isArray(values) && values.length > 0
        ? nameOf(text)
        : undefined;
    return name === undefined ? send(text, values, ...rest) : send({ name, text, values }, ...rest);
  };
  client.query = query as typeof client.query;
}

/**
 * Holds what is written back until the end of this turn of the event loop. Each message by itself would wake the
 * server, which then had to wait for the next.
 */
function createWriteOnce(client: pg.PoolClient): () => void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  let isCorked = false;
  const uncork = () => {
    isCorked = false;
    stream.uncork();
  };
  return () => {
    if (isCorked) return;
    isCorked = true;
    stream.cork();
    process.nextTick(uncork);
  };
}

/** Kysely's constructor requires a dialect. A transaction that has its connection never uses it. */
const unusedDialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction has its connection')),
});

/** A transaction on this connection, which somebody else begins and ends. */
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

/** PostgreSQL's answer to whatever follows a statement that failed. */
const isAbortedTransaction = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === '25P02';

/**
 * Waits for statements of a transaction that were sent without waiting for each other. When one fails, those behind it
 * fail because of it: what is thrown is the failure that all others come from. `Promise.all` would throw whichever
 * comes first, while the others are still under way on the connection.
 */
export async function awaitPipelined<Results extends readonly unknown[]>(
  ...work: { readonly [Nth in keyof Results]: Promise<Results[Nth]> }
): Promise<Results> {
  const ends = await Promise.allSettled(work);
  const failed = ends.filter((end) => end.status === 'rejected');
  const [first] = failed;
  if (first) throw (failed.find(({ reason }) => !isAbortedTransaction(reason)) ?? first).reason;
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
