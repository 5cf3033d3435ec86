import { type Kysely, sql } from 'kysely';

/**
 * Features with the instant at which they become potentially stale, unless they are stale. Several modules count and
 * find features by it: they read the view, and not the tables that it is computed from.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create view feature_ages as
    select f.name, f.project, f.type, f.stale, f.created_at, f.archived_at, t.lifetime_days,
      case when review.permanent or t.lifetime_days is null then null
        else greatest(f.created_at + t.lifetime_days * interval '24 hours', review.snoozed_until)
      end as due_at
    from features f
    join feature_types t on t.id = f.type
    left join feature_reviews review on review.feature_name = f.name`.execute(db);
}
