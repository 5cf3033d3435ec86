import { type Kysely, sql } from 'kysely';

/**
 * Locks what a clone reads, in one trip and in the order that everybody keeps: first the project that
 * receives the copy, then features by name. The parents of originals are locked with them: the copy
 * will depend on them, and two copyings that locked them later could wait for each other.
 */
const lockOriginals = `
  create function lock_originals(receiver text, wanted text[]) returns table (
    name text, project text, type text, description text, "impressionData" boolean
  ) language plpgsql volatile as $$
  begin
    perform from projects p where p.id = receiver for key share;
    perform from features f
      where f.name = any(array(
        select unnest(wanted)
        union select d.parent from feature_dependencies d where d.child = any(wanted)))
      order by f.name for no key update;
    return query
      select f.name, f.project, f.type, f.description, f.impression_data
      from features f where f.name = any(wanted) and f.archived_at is null order by f.name;
  end $$`;

// biome-ignore lint/suspicious/noExplicitAny: a migration knows the schema of its own day, not today's
export async function up(db: Kysely<any>): Promise<void> {
  await sql.raw(lockOriginals).execute(db);
}
