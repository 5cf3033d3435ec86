import { type Kysely, sql } from 'kysely';

/** Notifications about what people follow, and weekly emails. */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // The last event before the follow, so that an index finds those since. It was a time until now.
  for (const table of ['feature_follows', 'project_follows']) {
    const follows = sql.table(table);
    await sql`alter table ${follows} add column after_id bigint`.execute(db);
    await sql`
      update ${follows} follow set after_id = coalesce((
        select e.id from events e
        where e.created_at < follow.created_at and e.id <= (
          select max(d.last_id) from event_days d
          where d.day <= (follow.created_at at time zone 'UTC')::date)
        order by e.id desc limit 1), 0)`.execute(db);
    await sql`alter table ${follows} alter column after_id set not null`.execute(db);
  }

  // Earlier changes count as read.
  await sql`
    create table notification_reads (
      user_id  integer constraint notification_reads_pkey primary key,
      event_id bigint not null
    );
    insert into notification_reads
    select user_id, (select coalesce(max(id), 0) from events)
    from (select user_id from feature_follows union select user_id from project_follows) follower;`.execute(
    db,
  );

  await sql`
    alter table follow_letters
      drop constraint follow_letters_frequency_check,
      add constraint follow_letters_frequency_check
        check (frequency in ('weekly', 'daily', 'immediate'))`.execute(db);
}
