import { type Kysely, sql } from 'kysely';
import { applyFunction } from './functions/index.ts';

/**
 * The owner and the expiry of features. Existing features get their creator as owner. The view has only owners who
 * exist: the row of a deleted user stays, and so does its ID in `owner_user_id`.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql`
    alter table features
      add column owner_user_id integer,
      add column owner_group_id integer
        constraint features_owner_group_fkey references groups on delete set null,
      add column expires_at timestamptz(3),
      add constraint features_owner_check check (owner_user_id is null or owner_group_id is null)`.execute(
    db,
  );
  await sql`
    update features set owner_user_id = created_by_user_id
    where created_by_user_id in (
      select id from users where kind = 'person' and deleted_at is null)`.execute(db);
  await sql`
    create view feature_owners as
    select f.name as feature_name, 'user'::text as type, u.id,
      coalesce(nullif(u.name, ''), u.email, u.username, u.id::text) as name
    from features f join users u on u.id = f.owner_user_id
    where u.kind = 'person' and u.deleted_at is null
    union all
    select f.name, 'group', g.id, g.name
    from features f join groups g on g.id = f.owner_group_id`.execute(db);
  await sql`drop function lock_features(text[], boolean)`.execute(db);
  await applyFunction(db, 'lock_features');
}
