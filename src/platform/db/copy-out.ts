import type { CompiledQuery } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Db } from './database.ts';

/** The pool behind each `Db` that `connect.ts` made: COPY is not a query that Kysely could send. */
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
 * CSV with a quote and a delimiter that are control characters. JSON holds none of these unescaped, nor line breaks:
 * so PostgreSQL quotes nothing, and each line is a value as it is. The plain format would double each backslash.
 */
const format = `format csv, quote e'\\x01', delimiter e'\\x02'`;
const quote = 1;
const lineFeed = 10;

/** Calls back with each line of a chunk. Returns what follows the last line. */
function eachLine(chunk: Buffer, take: (line: Buffer) => void): Buffer {
  let from = 0;
  for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, from)) {
    take(chunk.subarray(from, end));
    from = end + 1;
  }
  return chunk.subarray(from);
}

/**
 * Runs a query of one column of JSON that is never null, and hands over each value as bytes: a string and a row for
 * each made the heap grow by up to 96 MB. COPY takes no parameters, so the query may have none.
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
    // The rest of the answer may still be on its way: nobody else gets this connection.
    client.release(true);
    throw error;
  }
}
