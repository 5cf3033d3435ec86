import { type Kysely, sql } from 'kysely';

/** The ids of reports of usage that were counted, so that none is counted twice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table usage_batches (
      id         uuid not null constraint usage_batches_pkey primary key,
      counted_at timestamptz(3) not null
    );
    create index usage_batches_counted_idx on usage_batches (counted_at);`.execute(db);
}
