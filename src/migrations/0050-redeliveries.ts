import { type Kysely, sql } from 'kysely';

/** When a delivery was last sent again on request, so that what became of such a request can be followed. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`alter table deliveries add column redelivered_at timestamptz(3)`.execute(db);
  await sql`
    create index deliveries_redelivered on deliveries (integration_id, redelivered_at)
      where redelivered_at is not null`.execute(db);
}
