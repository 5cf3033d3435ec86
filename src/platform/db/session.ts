import type pg from 'pg';

/** How to reach the server: a URL, or the socket of the embedded one; and where in it the tables are. */
export type Connection = Pick<
  pg.ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'database'
> & {
  readonly schema?: string | undefined;
  /** Between us and the server stands something that keeps the settings of a session from arriving with it. */
  readonly settingsByStatement?: true | undefined;
};

/** Where the tables are, unless DATABASE_SCHEMA says otherwise. */
export const defaultSchema = 'public';

/**
 * What unqualified names mean in every session. PostgreSQL's own default looks into a schema named after the
 * account first, and into temporary tables before anything else: a view put there would stand in front of a
 * table. `pg_catalog` comes first without being named.
 */
export const searchPath = (schema: string): string => `${schema},pg_temp`;

/** The driver checks certificates in all of these modes, and warns of a version in which it will not. */
const checkedModes = ['prefer', 'require', 'verify-ca'];

/**
 * The driver lets `options` in a URL replace those that it is given beside it: they are joined here. And what
 * `sslmode` means today is said by its name.
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

const allSettings = (schema: string, settings: Settings): [string, string | number][] =>
  Object.entries({ TimeZone: 'UTC', search_path: searchPath(schema), ...settings });

/** Of two values of one setting PostgreSQL takes the later one: what Burgee needs comes last. */
export function sessionConfig(
  { schema = defaultSchema, connectionString: given, settingsByStatement, ...rest }: Connection,
  settings: Settings = {},
): pg.ClientConfig {
  const { connectionString, options } = splitOptions(given);
  const own = allSettings(schema, settings).map(([name, value]) => `-c ${name}=${value}`);
  return {
    ...rest,
    ...(connectionString === undefined ? {} : { connectionString }),
    ...(settingsByStatement ? {} : { options: [options, ...own].join(' ').trim() }),
  };
}

/** A session as the address says, with nothing of ours. */
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

/** The statement that a new session begins with, where its settings do not arrive by themselves. */
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
