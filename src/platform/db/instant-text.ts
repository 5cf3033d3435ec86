import { type RawBuilder, sql } from 'kysely';

/** An instant as `toISOString` writes it. The column is written into the statement as it is. */
export const instantText = (column: string): RawBuilder<string> =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
