import { type Kysely, sql } from 'kysely';

/** All events of a request are reverted together. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index events_request_idx on events (request_id)
    where request_id is not null`.execute(db);
}
