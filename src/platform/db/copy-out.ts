import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';

/** The pool behind each `Db` that was made by `connect.ts`: COPY is not a query that Kysely could ask. */
const pools = new WeakMap<Db, pg.Pool>();

export const rememberPool = (db: Db, pool: pg.Pool): void => {
  pools.set(db, pool);
};

export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error('This Db has no pool of connect.ts');
  return pool;
}

interface CopyConnection {
  readonly query: (text: string) => void;
}

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const headerBytes = signature.length + 8;
const trailer = -1;
const lengthsBytes = 6;

/** One message of COPY in its binary format: the header before the first row, rows, the trailer. */
function eachValue(message: Buffer, take: (value: Buffer) => void): void {
  let at = message.subarray(0, signature.length).equals(signature) ? headerBytes : 0;
  while (at < message.length && message.readInt16BE(at) !== trailer) {
    const from = at + lengthsBytes;
    at = from + message.readInt32BE(from - 4);
    take(message.subarray(from, at));
  }
}

/**
 * Runs a query of one text column that is never null, and hands over each value as the bytes that
 * came: no string, no row and no object is made of them. They are overwritten after `take` returns.
 * COPY knows no parameters, so the query may have none.
 */
export async function copyOut(
  db: Db,
  { sql, parameters }: CompiledQuery,
  take: (value: Buffer) => void,
): Promise<void> {
  const pool = poolOf(db);
  if (parameters.length > 0) throw new Error('COPY takes no parameters');
  const client = await pool.connect();
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      client.query({
        submit: (connection: unknown) =>
          (connection as CopyConnection).query(`copy (${sql}) to stdout (format binary)`),
        handleCopyData: ({ chunk }: { chunk: Buffer }) => {
          try {
            if (!failure) eachValue(chunk, take);
          } catch (error) {
            fail(error as Error);
          }
        },
        handleCommandComplete: () => undefined,
        handleError: (error: Error) => {
          fail(error);
          reject(error);
        },
        handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
      });
    });
  } finally {
    client.release(failure);
  }
}
