import { type Kysely, sql } from 'kysely';

interface Variant {
  readonly name: string;
}

interface Stored {
  readonly key: readonly string[];
  readonly variants: readonly Variant[];
}

/** Enough for few statements, little enough for the memory: each can hold a hundred variants with payloads. */
const batchSize = 500;

/** As they are sorted when they are saved, which no collation of the database is sure to be. */
const { compare } = new Intl.Collator('en-US');

function sorted({ key, variants }: Stored): Stored[] {
  const after = [...variants].sort((a, b) => compare(a.name, b.name));
  return after.every((variant, index) => variant === variants[index])
    ? []
    : [{ key, variants: after }];
}

/** A table with lists of variants, and how one of its rows is found. */
interface VariantColumn {
  readonly table: string;
  readonly keys: readonly [string, ...string[]];
  /** Where the list is, and the new value of the column that holds it. */
  readonly variants: string;
  readonly assignment: string;
}

const columns: readonly VariantColumn[] = [
  {
    table: 'feature_strategies',
    keys: ['id'],
    variants: 'variants',
    assignment: 'variants = changed.variants',
  },
  {
    table: 'feature_environments',
    keys: ['feature_name', 'environment'],
    variants: 'variants',
    assignment: 'variants = changed.variants',
  },
  {
    table: 'project_environments',
    keys: ['project', 'environment'],
    variants: `default_strategy -> 'variants'`,
    // The other fields stay as they are written, in their order.
    assignment: `default_strategy = (
      select json_object_agg(field.key,
        case field.key when 'variants' then changed.variants else field.value end order by field.n)
      from json_each(stored.default_strategy) with ordinality as field(key, value, n))`,
  },
];

/** Variants are kept in the order of their names. What was stored in another order is put into it; weights stay. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  for (const column of columns) await sortIn(db, column);
}

async function sortIn(
  // biome-ignore lint/suspicious/noExplicitAny: as above
  db: Kysely<any>,
  { table, keys, variants, assignment }: VariantColumn,
): Promise<void> {
  const key = sql.raw(`array[${keys.map((name) => `stored.${name}`).join()}]`);
  let last: readonly string[] = [];
  while (true) {
    const { rows } = await sql<Stored>`
      select ${key} as key, ${sql.raw(variants)} as variants from ${sql.table(table)} stored
      where case json_typeof(${sql.raw(variants)})
          when 'array' then json_array_length(${sql.raw(variants)}) > 1 else false end
        and ${key} > ${last}::text[]
      order by 1 limit ${batchSize}`.execute(db);
    const changed = rows.flatMap(sorted);
    if (changed.length > 0) {
      await sql`
        update ${sql.table(table)} stored set ${sql.raw(assignment)}
        from json_to_recordset(${JSON.stringify(changed)}) as changed(key text[], variants json)
        where ${key} = changed.key`.execute(db);
    }
    const end = rows.at(-1);
    if (!end || rows.length < batchSize) return;
    last = end.key;
  }
}
