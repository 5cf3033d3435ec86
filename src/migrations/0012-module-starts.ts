import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // An installation from before this table has begun with the two modules that there were to begin with.
  await sql`
    create table module_starts (
      module     text constraint module_starts_pkey primary key,
      started_at timestamptz(3) not null
    );
    insert into module_starts
      select module, first_started_at
      from installation, unnest(array['environments', 'projects']) as module;`.execute(db);
}
