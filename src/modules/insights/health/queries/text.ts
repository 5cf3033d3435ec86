import { type RawBuilder, sql } from 'kysely';

/**
 * Rows travel as lines with tabs between their parts: names of features and environments have neither,
 * and JSON writes both in another way.
 */
export const line = (...parts: readonly RawBuilder<unknown>[]): RawBuilder<string> =>
  sql`${sql.join(parts, sql` || E'\\t' || `)}`;

export const lines = (
  each: RawBuilder<string>,
  order: RawBuilder<unknown> | undefined,
  rest: RawBuilder<unknown>,
): RawBuilder<string | null> =>
  sql`(select string_agg(${each}, E'\\n' ${order ? sql`order by ${order}` : sql``}) ${rest})`;

/** Text as JSON writes it. */
export const quoted = (column: string): RawBuilder<string> => sql.raw(`to_json(${column})::text`);

/** How an instant is spelled in every answer. */
export const instantText = (column: string): RawBuilder<string> =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

export const milliseconds = (column: string): RawBuilder<number> =>
  sql.raw(`(date_part('epoch', ${column}) * 1000)::bigint`);
