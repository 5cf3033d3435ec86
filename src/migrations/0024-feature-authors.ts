import { type Kysely, sql } from 'kysely';
import { applyFunction } from './functions/index.ts';

/**
 * Who changed a feature, kept by `append_events`. The next migration gathers what was recorded before.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create table feature_authors (
      feature_name text not null,
      user_id      bigint not null,
      first_id     bigint not null,
      name         text not null,
      constraint feature_authors_pkey primary key (feature_name, user_id)
    )`.execute(db);
  await applyFunction(db, 'append_events');
}
