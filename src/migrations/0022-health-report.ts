import { type Kysely, sql } from 'kysely';

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  // Who had to do with a feature: read from the events themselves that took a third of a health report's time.
  await sql`
    create index events_authors_idx on events (feature_name, created_by_user_id, id)
      where feature_name is not null`.execute(db);

  // Whether a name had another feature before: looked up for each feature of a report.
  await sql`
    create index events_deletions_idx on events (feature_name, id)
      where type = 'feature-deleted'`.execute(db);

  // When a feature was last seen is no event, nor which stage it enters by that. The sum of the marks tells that one of these times has changed:
  // it is another one for whoever sees the change, and no other for whoever does not see it yet. Several rows, so
  // that nobody who writes waits for somebody else.
  await sql`
    create table seen_marks (
      slot smallint constraint seen_marks_pkey primary key,
      mark bigint not null
    )`.execute(db);
  await sql`insert into seen_marks select slot, 0 from generate_series(0, 15) slot`.execute(db);
  await sql`
    create function mark_seen() returns void language plpgsql as $$
    begin
      update seen_marks set mark = mark + 1
      where slot = (select slot from seen_marks order by slot limit 1 for update skip locked);
      if not found then
        update seen_marks set mark = mark + 1 where slot = pg_backend_pid() % 16;
      end if;
    end $$;
    create function on_seen() returns trigger language plpgsql as $$
    begin
      perform mark_seen();
      return null;
    end $$;
    create function on_first_seen() returns trigger language plpgsql as $$
    begin
      if exists (select from inserted where last_seen_at is not null) then
        perform mark_seen();
      end if;
      return null;
    end $$;
    create function on_stage() returns trigger language plpgsql as $$
    begin
      if exists (select from inserted where stage in ('pre-live', 'live')) then
        perform mark_seen();
      end if;
      return null;
    end $$;
    create trigger feature_lifecycles_entered
      after insert on feature_lifecycles
      referencing new table as inserted
      for each statement execute function on_stage();
    create trigger feature_environments_seen
      after update of last_seen_at on feature_environments
      for each statement execute function on_seen();
    create trigger feature_environments_first_seen
      after insert on feature_environments
      referencing new table as inserted
      for each statement execute function on_first_seen();`.execute(db);
}
