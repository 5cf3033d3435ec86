import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // An instance that was there before may have been adding events in the way of before: they come first here, and all
  // that are added later are added in the new way, because that is a migration of its own.
  await sql`select pg_advisory_xact_lock(4242002)`.execute(db);
  await sql`
    insert into feature_authors (feature_name, user_id, first_id, name)
    select e.feature_name, e.created_by_user_id, min(e.id), (array_agg(e.created_by order by e.id desc))[1]
    from events e left join (
      select feature_name, max(id) as id from events where type = 'feature-deleted' group by feature_name
    ) namesake on namesake.feature_name = e.feature_name
    where e.feature_name is not null and e.created_by_user_id is not null
      and e.id > coalesce(namesake.id, 0)
    group by e.feature_name, e.created_by_user_id
    on conflict (feature_name, user_id) do update
      set first_id = least(feature_authors.first_id, excluded.first_id), name = excluded.name`.execute(
    db,
  );
  await sql`drop index events_authors_idx`.execute(db);

  // What came to production lately: all events of a month were read for the few of them that tell of it.
  await sql`
    create index events_switched_on_idx on events (environment, id)
      where type = 'feature-environment-enabled'`.execute(db);
}
