import type pg from 'pg';
import { StartError } from '../platform/start-error.ts';
import type { Manifest } from './manifest.ts';
import { ownTables } from './schema-objects.ts';

interface Sequence {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly start: number;
  readonly max: number;
}

/** Lists the sequences that number rows. */
async function listSequences(client: pg.Client, schema: string): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select d.objid::regclass::text as name, c.relname as table, a.attname as column,
            q.seqstart as start, q.seqmax as max
     from pg_catalog.pg_depend d
     join pg_catalog.pg_sequence q on q.seqrelid = d.objid
     join pg_catalog.pg_class c on c.oid = d.refobjid
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
     where d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
       and c.relnamespace = $1::text::regnamespace and c.relname = any($2::text[])
     order by c.relname, a.attname`,
    [schema, ownTables()],
  );
  return rows;
}

export async function readSequences(
  client: pg.Client,
  schema: string,
): Promise<Manifest['sequences']> {
  const sequences: Manifest['sequences'][number][] = [];
  for (const { name, table, column } of await listSequences(client, schema)) {
    const { rows } = await client.query<{ lastValue: number; isCalled: boolean }>(
      `select last_value as "lastValue", is_called as "isCalled" from ${name}`,
    );
    if (rows[0]) sequences.push({ table, column, ...rows[0] });
  }
  return sequences;
}

/**
 * Sets the sequences to the given values, but never behind the rows, whatever is given: the next row would get an id
 * that is taken.
 */
export async function setSequences(
  client: pg.Client,
  schema: string,
  given: Manifest['sequences'],
): Promise<void> {
  for (const { name, table, column, start, max } of await listSequences(client, schema)) {
    const own = given.find((each) => each.table === table && each.column === column);
    const { lastValue, isCalled } = own ?? { lastValue: start, isCalled: false };
    const { rows } = await client.query<{ largest: number | null }>(
      `select max(${client.escapeIdentifier(column)}) as largest from ${client.escapeIdentifier(table)}`,
    );
    const next = Math.max(lastValue + (isCalled ? 1 : 0), (rows[0]?.largest ?? 0) + 1, start);
    if (next > max) {
      throw new StartError(
        `No row could be added to the table ${table}: the largest ${column} is in use. Nothing was changed.`,
      );
    }
    await client.query('select setval($1, $2, false)', [name, next]);
  }
}
