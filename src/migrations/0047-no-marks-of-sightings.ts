import { type Kysely, sql } from 'kysely';

/**
 * Triggers counted in `seen_marks` when features were last seen, so that a kept health report could be compared with
 * one small table. They ran whenever an SDK was seen, to serve one deprecated operation. The report now compares the
 * times themselves, which takes a few milliseconds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    drop trigger feature_lifecycles_entered on feature_lifecycles;
    drop trigger feature_environments_seen on feature_environments;
    drop trigger feature_environments_first_seen on feature_environments;
    drop function on_stage();
    drop function on_first_seen();
    drop function on_seen();
    drop function mark_seen();
    drop table seen_marks;`.execute(db);
}
