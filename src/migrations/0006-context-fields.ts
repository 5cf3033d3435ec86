import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table context_fields (
      name         text constraint context_fields_pkey primary key,
      description  text not null,
      stickiness   boolean not null,
      sort_order   integer not null,
      legal_values json not null,
      created_at   timestamptz(3) not null
    )`.execute(db);
}
