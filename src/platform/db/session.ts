import type pg from 'pg';

/** How to connect: a URL, or the socket of the embedded server; and the schema of the tables. */
export type Connection = Pick<
  pg.ClientConfig,
  // The last one is how long to wait for a connection, also for a free one of a pool.
  'connectionString' | 'host' | 'port' | 'user' | 'database' | 'connectionTimeoutMillis'
> & {
  readonly schema?: string | undefined;
  /** Set if a pooler prevents session settings from arriving with the connection. */
  readonly settingsByStatement?: true | undefined;
};

/** The schema of the tables unless DATABASE_SCHEMA is set. */
export const defaultSchema = 'public';

/**
 * The search path of every session. PostgreSQL's default first searches temporary tables and a schema named after the
 * account: a view there would shadow a table. `pg_catalog` is searched first implicitly.
 */
export const searchPath = (schema: string): string => `${schema},pg_temp`;

/** The driver verifies certificates in all of these modes, and warns that a future version will not. */
const checkedModes = ['prefer', 'require', 'verify-ca'];

/**
 * Separates `options` from the URL: the driver would replace ours by them, so both are joined here. Also replaces
 * `sslmode` by the name of what it means today.
 */
function splitOptions(connectionString: string | undefined) {
  if (!connectionString || !/[?&](?:options|sslmode)=/.test(connectionString)) {
    return { connectionString, options: '' };
  }
  const url = new URL(connectionString);
  const { searchParams } = url;
  const options = searchParams.get('options') ?? '';
  searchParams.delete('options');
  const isLibpq = searchParams.get('uselibpqcompat') === 'true';
  if (!isLibpq && checkedModes.includes(searchParams.get('sslmode') ?? '')) {
    searchParams.set('sslmode', 'verify-full');
  }
  return { connectionString: url.href, options };
}

type Settings = Readonly<Record<string, string | number>>;

/**
 * The settings that change results instead of speed, at the values that Burgee is written for. Every account can set
 * most of them for itself or for the database: `gin_fuzzy_search_limit = 1` made 619 hits of a text search disappear.
 * Those that only a superuser may change are missing, because PostgreSQL would refuse the connection.
 */
const fixedSettings: Settings = {
  // How values are written and read as text
  TimeZone: 'UTC',
  DateStyle: 'ISO',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: 1,
  timezone_abbreviations: 'Default',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  quote_all_identifiers: 'off',
  // What a query finds
  gin_fuzzy_search_limit: 0,
  transform_null_equals: 'off',
  // A policy makes a statement fail instead of hiding rows.
  row_security: 'off',
  default_transaction_isolation: 'read committed',
};

/** The settings of every session, for a check that they are in effect. */
export const sessionSettings = (schema: string): Settings => ({
  ...fixedSettings,
  search_path: searchPath(schema),
});

const allSettings = (schema: string, settings: Settings): [string, string | number][] =>
  Object.entries({ ...sessionSettings(schema), ...settings });

/** PostgreSQL splits `options` at spaces. */
const escaped = (value: string | number): string => String(value).replace(/[\\ ]/g, '\\$&');

/** Returns the driver's configuration. PostgreSQL uses the last of two values of a setting, so ours come last. */
export function sessionConfig(
  { schema = defaultSchema, connectionString: given, settingsByStatement, ...rest }: Connection,
  settings: Settings = {},
): pg.ClientConfig {
  const { connectionString, options } = splitOptions(given);
  const own = allSettings(schema, settings).map(([name, value]) => `-c ${name}=${escaped(value)}`);
  return {
    ...rest,
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(settingsByStatement ? {} : { options: [options, ...own].join(' ').trim() }),
  };
}

/** Returns a configuration with the URL's settings only. */
export function plainConfig({
  schema: _schema,
  settingsByStatement: _byStatement,
  connectionString: given,
  ...rest
}: Connection): pg.ClientConfig {
  const { connectionString, options } = splitOptions(given);
  return {
    ...rest,
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(options === '' ? {} : { options }),
  };
}

/** Returns the first statement of a new session, if its settings do not arrive with the connection. */
export function sessionStatement(
  { schema = defaultSchema, settingsByStatement }: Connection,
  settings: Settings = {},
): string | undefined {
  if (!settingsByStatement) return undefined;
  const set = allSettings(schema, settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', false)`,
  );
  return `select ${set.join(', ')}`;
}
