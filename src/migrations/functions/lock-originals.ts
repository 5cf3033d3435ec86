/**
 * Locks what a clone reads, in one trip and in the order that every writer keeps: first the target project, then
 * features by name. The parents of the originals are locked with them, because the copies will depend on them: two
 * clones that locked them later could wait for each other.
 */
export const lockOriginals = `
  create or replace function lock_originals(receiver text, wanted text[]) returns table (
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
