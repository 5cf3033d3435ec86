import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table strategy_types (
      name        text constraint strategy_types_pkey primary key,
      title       text,
      description text not null,
      parameters  json not null,
      built_in    boolean not null,
      deprecated  boolean not null,
      sort_order  integer not null,
      created_at  timestamptz(3) not null
    )`.execute(db);
}
