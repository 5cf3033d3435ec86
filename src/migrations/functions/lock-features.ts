/**
 * Locks features in the order of their names, so that two writers cannot wait for each other, and only
 * then reads them and their tags: each statement of a volatile function sees what was committed while
 * the one before it waited for a lock. One trip from the client, because every change of a feature begins with it.
 */
export const lockFeatures = `
  create or replace function lock_features(wanted text[], strongly boolean) returns table (
    name text, project text, type text, description text, "impressionData" boolean, stale boolean,
    "createdAt" timestamptz(3), "archivedAt" timestamptz(3), tags json, owner json,
    "expiresAt" timestamptz(3)
  ) language plpgsql volatile as $$
  begin
    if strongly then
      perform from features f where f.name = any(wanted) order by f.name for update;
    else
      perform from features f where f.name = any(wanted) order by f.name for no key update;
    end if;
    return query
      select f.name, f.project, f.type, f.description, f.impression_data, f.stale, f.created_at,
        f.archived_at, coalesce((
          select json_agg(json_build_object('type', t.type, 'value', t.value) order by t.type, t.value)
          from feature_tags t where t.feature_name = f.name), '[]'), (
          select json_build_object('type', o.type, 'id', o.id, 'name', o.name)
          from feature_owners o where o.feature_name = f.name), f.expires_at
      from features f where f.name = any(wanted) order by f.name;
  end $$`;
