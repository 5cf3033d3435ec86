/** Writes the authors that `append_events` would have recorded for these events. None of their features was deleted. */
export const gatherAuthors = `
  insert into feature_authors (feature_name, user_id, first_id, name)
  select feature_name, created_by_user_id, min(id), (array_agg(created_by order by id desc))[1]
  from events where feature_name is not null
  group by feature_name, created_by_user_id
  on conflict (feature_name, user_id) do update set name = excluded.name`;
