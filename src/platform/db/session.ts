import type pg from 'pg';

/** How to reach the server: a URL, or the socket of the embedded one; and where in it the tables are. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'database'
> & {
  readonly schema?: string | undefined;
};

/** Where the tables are, unless DATABASE_SCHEMA says otherwise. */
export const defaultSchema = 'public';

/**
 * What unqualified names mean in every session. PostgreSQL's own default looks into a schema named after the
 * account first, and into temporary tables before anything else: a view put there would stand in front of a
 * table. `pg_catalog` comes first without being named.
 */
export const searchPath = (schema: string): string => `${schema},pg_temp`;

/** The driver lets `options` in a URL replace those that it is given beside it: they are joined here. */
function splitOptions(connectionString: string | undefined) {
  if (!connectionString?.includes('options=')) return { connectionString, options: '' };
  const url = new URL(connectionString);
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return { connectionString: url.href, options };
}

/** Of two values of one setting PostgreSQL takes the later one: what Burgee needs comes last. */
export function sessionConfig(
  { schema = defaultSchema, connectionString: given, ...rest }: Connection,
  settings: Readonly<Record<string, string | number>> = {},
): pg.ClientConfig {
  const { connectionString, options } = splitOptions(given);
  const own = Object.entries({
    TimeZone: 'UTC',
    search_path: searchPath(schema),
    ...settings,
  }).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...rest,
    ...(connectionString === undefined ? {} : { connectionString }),
    options: [options, ...own].join(' ').trim(),
  };
}
