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

/** More than the service has. Statements with generated texts must not fill the server's memory. */
const maxPrepared = 500;

/** Under repeatable read, the head of the event chain would be read from an old snapshot. */
export const beginStatement = 'begin isolation level read committed';

type Query = (...query: unknown[]) => Promise<unknown>;

/**
 * Makes a connection save round trips. Parsing and planning each statement anew took two thirds of the 8.6 ms that a
 * clone took in the database. `names` maps statement texts to the names of prepared statements, for all connections of
 * a pool.
 */
export function installPipelining(client: pg.PoolClient, names: Map<string, string>): void {
  const send = client.query.bind(client) as Query;
  const writeOnce = createWriteOnce(client);
  let isBeginHeld = false;

  const nameOf = (text: string) => {
    const existing = names.get(text);
    if (existing !== undefined || names.size >= maxPrepared) return existing;
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
      // Fails only if the connection fails, and then the next statement fails too.
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
 * Buffers writes until the end of this turn of the event loop. Separate messages would each wake the server, which
 * would then wait for the next one.
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

/** Kysely's constructor requires a dialect. A transaction with its own connection never uses it. */
const unusedDialect = new PostgresDialect({
  pool: () => Promise.reject(new Error('a transaction has its connection')),
});

/** Creates a transaction on a connection. The caller begins and ends it. */
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

/** Matches PostgreSQL's response to statements that follow a failed one. */
const isAbortedTransaction = (reason: unknown): boolean =>
  reason instanceof Error && 'code' in reason && reason.code === '25P02';

/**
 * Waits for statements of a transaction that were sent without waiting for each other. If one fails, the later ones
 * fail because of it, so the original failure is thrown. `Promise.all` would throw the first rejection while other
 * statements are still in progress on the connection.
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
