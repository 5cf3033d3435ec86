import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from, to } from 'pg-copy-streams';

/** Reads the rows of a COPY statement in the text format, no faster than they are consumed. */
export const copyTextOut = (client: pg.Client, statement: string): Readable =>
  client.query(to(statement));

/** Sends rows in the text format to a COPY statement. Returns the number of rows that PostgreSQL stored. */
export async function copyTextIn(
  client: pg.Client,
  statement: string,
  rows: AsyncIterable<Buffer>,
): Promise<number> {
  const storing = client.query(from(statement));
  await pipeline(rows, storing);
  return storing.rowCount;
}
