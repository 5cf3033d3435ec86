import { type Kysely, sql } from 'kysely';

/**
 * Finds the events that tell of a person, and the features of which they are an author, without reading the whole log.
 * Only some 20 of the 156 types of events tell of people, so that most writes have nothing to add to the first one.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    create index events_subject_idx on events ((
      coalesce(data->>'userId', data->>'id', pre_data->>'userId', pre_data->>'id')), id)
      where subject_seal is not null`.execute(db);
  await sql`create index feature_authors_user_idx on feature_authors (user_id)`.execute(db);
}
