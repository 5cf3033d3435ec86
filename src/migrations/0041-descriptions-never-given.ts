import { type Kysely, sql } from 'kysely';

const tables = [
  'projects',
  'features',
  'segments',
  'context_fields',
  'strategy_types',
  'groups',
  'integrations',
];

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  for (const table of tables) {
    const name = sql.id(table);
    await sql`alter table ${name} alter column description drop not null`.execute(db);
    await sql`alter table ${name} alter column description drop default`.execute(db);
    // Until now an empty text stood for a description that nobody gave.
    await sql`update ${name} set description = null where description = ''`.execute(db);
  }
}
