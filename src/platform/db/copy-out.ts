import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Db } from './database.ts';

/** The pool of each `Db` that `connect.ts` created. Kysely cannot send COPY. */
const pools = new WeakMap<Db, pg.Pool>();

export const rememberPool = (db: Db, pool: pg.Pool): void => {
  pools.set(db, pool);
};

export function poolOf(db: Db): pg.Pool {
  const pool = pools.get(db);
  if (!pool) throw new Error('This Db has no pool of connect.ts');
  return pool;
}

/**
 * CSV whose quote and delimiter are control characters. JSON contains neither these nor line breaks unescaped, so
 * PostgreSQL quotes nothing and each line is one value. The text format would double every backslash.
 */
const format = `format csv, quote e'\\x01', delimiter e'\\x02'`;
const quote = 1;
const lineFeed = 10;

/** Calls back with each line of a chunk. Returns the incomplete rest. */
function eachLine(chunk: Buffer, take: (line: Buffer) => void): Buffer {
  let from = 0;
  for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
    take(chunk.subarray(from, end));
    from = end + 1;
  }
  return chunk.subarray(from);
}

/**
 * Runs a query with one column of non-null JSON, and passes each value on as bytes. A string and a row for each value
 * made the heap grow by up to 96 MB. COPY takes no parameters, so the query must have none.
 */
export async function copyOut(
  db: Db,
  { sql, parameters }: CompiledQuery,
  take: (json: Buffer) => void,
): Promise<void> {
  const pool = poolOf(db);
  if (parameters.length > 0) throw new Error('COPY takes no parameters');
  const client = await pool.connect();
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of client.query(copyTo(`copy (${sql}) to stdout (${format})`))) {
      if (chunk.includes(quote)) throw new Error('COPY quoted what should be JSON');
      rest = eachLine(rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk, take);
    }
    client.release();
  } catch (error) {
    // The rest of the response may still be arriving, so this connection must not be reused.
    client.release(true);
    throw error;
  }
}
