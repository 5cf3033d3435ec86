import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table environments (
      name       text constraint environments_pkey primary key,
      type       text not null,
      enabled    boolean not null,
      protected  boolean not null default false,
      sort_order integer not null,
      created_at timestamptz(3) not null
    )`.execute(db);
}
