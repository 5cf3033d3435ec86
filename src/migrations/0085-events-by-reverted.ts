import { type Kysely, sql } from 'kysely';

/** The log says of an event which later ones revert it. Few events do, so that the index is small. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index events_reverts_idx on events using gin (((data -> 'reverts')::jsonb) jsonb_path_ops)
    where data -> 'reverts' is not null`.execute(db);
}
