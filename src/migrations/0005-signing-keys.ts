import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // The index lets one key be current: of two instances that make one at once, one loses.
  await sql`
    create table signing_keys (
      id          text primary key,
      public_key  text not null,
      private_key text,
      created_at  timestamptz(3) not null,
      retired_at  timestamptz(3)
    );
    create unique index signing_keys_current_key on signing_keys ((true)) where retired_at is null;`.execute(
    db,
  );
}
