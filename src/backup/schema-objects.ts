import type pg from 'pg';
import { namesOf } from '../modules/events/index.ts';

/** Tables and functions of older schemas. */
const formerTables = ['seen_marks'];
const formerFunctions = ['mark_seen', 'on_first_seen', 'on_seen', 'on_stage'];

/** The names of all tables that migrations create or created. */
export const ownTables = () => [...namesOf('table'), ...formerTables];
const ownFunctions = () => [...namesOf('function'), ...formerFunctions];

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Lists the tables that migrations created. Others in the same schema are the operator's own. */
export async function listTables(client: pg.Client, schema: string): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_catalog.pg_class c
     join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = $1::text::regnamespace and c.relkind = 'r' and c.relname = any($2::text[])
     group by c.relname order by c.relname`,
    [schema, ownTables()],
  );
  return rows;
}

/** Lists what has the name of a table, view or function of ours. The list of migrations alone holds no data. */
export async function listNamesakes(client: pg.Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_catalog.pg_class
     where relnamespace = $1::text::regnamespace and relkind in ('r', 'p', 'f', 'v', 'm')
       and relname = any($2::text[]) and relname <> 'migrations'
     union
     select proname from pg_catalog.pg_proc
     where pronamespace = $1::text::regnamespace and proname = any($3::text[])
     order by name`,
    [schema, [...ownTables(), ...namesOf('view')], ownFunctions()],
  );
  return rows.map(({ name }) => name);
}

/** Drops all that migrations created, in the transaction of the caller. Objects of the operator stay. */
export async function dropOwn(client: pg.Client, schema: string): Promise<void> {
  const id = (name: string) =>
    `${client.escapeIdentifier(schema)}.${client.escapeIdentifier(name)}`;
  for (const view of namesOf('view')) await client.query(`drop view if exists ${id(view)}`);
  const tables = await listTables(client, schema);
  if (tables.length > 0) {
    await client.query(`drop table ${tables.map(({ name }) => id(name)).join(', ')}`);
  }
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_catalog.pg_proc p
     where p.pronamespace = $1::text::regnamespace and p.proname = any($2::text[])`,
    [schema, ownFunctions()],
  );
  for (const { signature } of rows) await client.query(`drop function ${signature}`);
}

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/** Foreign keys, then indexes that belong to no constraint: loading rows without them takes a fraction of the time. */
export async function listSlowDefinitions(
  client: pg.Client,
  schema: string,
): Promise<{ readonly keys: readonly Definition[]; readonly indexes: readonly Definition[] }> {
  const keys = await client.query<Definition>(
    `select format('alter table %s drop constraint %I', k.conrelid::regclass, k.conname) as drop,
            format('alter table %s add constraint %I %s', k.conrelid::regclass, k.conname,
              pg_get_constraintdef(k.oid)) as create
     from pg_catalog.pg_constraint k
     join pg_catalog.pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = $1::text::regnamespace and c.relname = any($2::text[])
     order by k.oid`,
    [schema, ownTables()],
  );
  const indexes = await client.query<Definition>(
    `select format('drop index %s', x.indexrelid::regclass) as drop,
            pg_get_indexdef(x.indexrelid) as create
     from pg_catalog.pg_index x
     join pg_catalog.pg_class c on c.oid = x.indrelid
     where c.relnamespace = $1::text::regnamespace and c.relname = any($2::text[])
       and not exists (select from pg_catalog.pg_constraint k where k.conindid = x.indexrelid)
     order by x.indexrelid`,
    [schema, ownTables()],
  );
  return { keys: keys.rows, indexes: indexes.rows };
}
