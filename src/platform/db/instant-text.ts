import { type RawBuilder, sql } from 'kysely';

/** Formats an instant like `toISOString`. The column name is inserted into the statement unquoted. */
export const instantText = (column: string): RawBuilder<string> =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
