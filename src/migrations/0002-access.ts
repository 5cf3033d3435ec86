import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Ids start at 2000: the creator id of a token is its negative, and -1337 is the system.
  await sql`
    create table api_tokens (
      id          integer generated always as identity (start with 2000) primary key,
      name        text not null constraint api_tokens_name_key unique,
      type        text not null check (type in ('admin', 'client', 'frontend')),
      environment text,
      projects    text[] not null,
      secret_hash bytea not null constraint api_tokens_secret_key unique,
      origin      text not null check (origin in ('first start', 'environment', 'command line')),
      created_at  timestamptz(3) not null,
      expires_at  timestamptz(3),
      revoked_at  timestamptz(3)
    )`.execute(db);
}
