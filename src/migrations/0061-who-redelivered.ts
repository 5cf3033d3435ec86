import { type Kysely, sql } from 'kysely';

/** Who asked for the last redelivery. The index is for the erasure of a person. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table deliveries add column redelivered_by text, add column redelivered_by_id integer`.execute(
    db,
  );
  await sql`
    create index deliveries_redelivered_by on deliveries (redelivered_by_id)
      where redelivered_by_id is not null`.execute(db);
}
