import type pg from 'pg';
import { tryInstallation } from '../app/installation.ts';
import { rehearseWithin } from '../app/transact.ts';
import { listApplied } from '../migrations/migrate.ts';
import { systemActor } from '../modules/access/gate/index.ts';
import { listKeyProofs } from '../platform/db/encryption-keys.ts';
import type { OneSession } from '../platform/db/one-session.ts';
import { StartError } from '../platform/start-error.ts';
import type { Manifest } from './manifest.ts';
import { listTables, ownTables, type Table } from './schema-objects.ts';
import { readSequences, setSequences } from './sequences.ts';

/** The number of rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

export async function countRows(client: pg.Client, tables: readonly Table[]): Promise<RowCounts> {
  const { rows } = await client.query<{ name: string; rows: number }>(
    tables
      .map(({ name }) => {
        const table = client.escapeIdentifier(name);
        return `select ${client.escapeLiteral(name)} as name, count(*) as rows from ${table}`;
      })
      .join(' union all '),
  );
  return Object.fromEntries(rows.map((each) => [each.name, each.rows]));
}

const contradiction = (what: string) =>
  new StartError(`The rows of the backup contradict its manifest: ${what}. Nothing was changed.`);

const byName = (names: readonly string[]) => names.toSorted().join();

async function listRestoredKeys({ client, db }: OneSession): Promise<readonly string[]> {
  const { rows } = await client.query(
    `select to_regclass('encryption_keys') is not null as exists`,
  );
  if (!rows[0]?.exists) return [];
  return (await listKeyProofs(db)).map(({ id, proof }) => `${id} ${proof.toString('hex')}`);
}

/**
 * Refuses rows that Burgee cannot work with: another list of migrations or keys than the manifest has, and tables
 * without the rows that migrations create, such as the one that says how far deliveries are.
 */
export async function requireOwnRows(
  session: OneSession,
  schema: string,
  { migrations, encryptionKeys }: Manifest,
  created: RowCounts,
): Promise<void> {
  if (byName((await listApplied(session.db)) ?? []) !== byName(migrations)) {
    throw contradiction('they list other migrations');
  }
  const keys = encryptionKeys.map(({ id, proof }) => `${id} ${proof}`);
  if (byName(await listRestoredKeys(session)) !== byName(keys)) {
    throw contradiction('they name other keys of stored secrets');
  }
  const { client } = session;
  const tables = await listTables(client, schema);
  const found = await countRows(
    client,
    tables.filter(({ name }) => name !== 'migrations' && created[name] !== 0),
  );
  for (const [table, rows] of Object.entries(found)) {
    const least = created[table] ?? 0;
    if (rows === least || (rows > least && least > 1)) continue;
    throw new StartError(
      `The table ${table} of the backup has ${rows} rows, but Burgee needs ${least}. Nothing was changed.`,
    );
  }
}

interface DatedTable {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Lists the tables with columns that hold a day or an instant. */
async function listDatedTables(client: pg.Client, schema: string): Promise<DatedTable[]> {
  const { rows } = await client.query<DatedTable>(
    `select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
     from pg_catalog.pg_class c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and c.relname = any($2::text[])
       and a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)
     group by c.relname`,
    [schema, ownTables()],
  );
  return rows;
}

/** Refuses dates that PostgreSQL can store and Burgee cannot show: infinity, and years beyond those of ISO 8601. */
export async function requireShowableDates({ client }: OneSession, schema: string): Promise<void> {
  for (const { table, columns } of await listDatedTables(client, schema)) {
    const wrong = columns.map(
      (column) =>
        `${client.escapeIdentifier(column)} not between '0001-01-01' and '9999-12-31 23:59:59+00'`,
    );
    const { rows } = await client.query(
      `select from ${client.escapeIdentifier(table)} where ${wrong.join(' or ')} limit 1`,
    );
    if (rows.length === 0) continue;
    throw new StartError(
      `The table ${table} of the backup has a date outside the years 1 to 9999. Nothing was changed.`,
    );
  }
}

/** Refuses marks of work on the log that are ahead of it: the events in between would never be delivered or mailed. */
export async function requireProgressWithinLog(
  { client }: OneSession,
  { log }: Manifest,
): Promise<void> {
  for (const table of ['delivery_progress', 'follow_progress']) {
    const { rows } = await client.query(`select from ${table} where event_id > $1`, [log.lastId]);
    if (rows.length > 0) throw contradiction(`${table} is ahead of the event log`);
  }
}

/**
 * Tries the next start of a server and a change, and takes both back: after a restore that succeeded, the server must
 * work.
 */
export async function requireStart({ client, db }: OneSession, schema: string): Promise<void> {
  const sequences = await readSequences(client, schema);
  await rehearseWithin(db)(systemActor, tryInstallation);
  // Ids that a sequence has given are not taken back with the rows.
  await setSequences(client, schema, sequences);
}
