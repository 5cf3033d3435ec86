import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // What programs carry can be shown again; of tokens that are there already only the hash is known.
  await sql`alter table api_tokens add column sealed_secret bytea`.execute(db);
  await sql`
    alter table api_tokens
      add constraint api_tokens_sealed_check
        check (sealed_secret is null or (type <> 'admin' and revoked_at is null))`.execute(db);
}
