import { type Kysely, sql } from 'kysely';

/** Which keys secrets are stored under: of each a text that only this key opens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table encryption_keys (
      key_id     text constraint encryption_keys_pkey primary key,
      proof      bytea not null,
      created_at timestamptz not null
    )`.execute(db);
}
