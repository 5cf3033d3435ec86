import { type Kysely, sql } from 'kysely';

/** Names that applications ask for, and that somebody does not want to hear of: misspelt ones, or those of tests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ignored_names (
      name       text not null,
      ignored_at timestamptz(3) not null,
      constraint ignored_names_pkey primary key (name)
    );`.execute(db);
}
