with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ) select anchor, head, rewrites, recreated from log;

start transaction isolation level repeatable read read only;

set local max_parallel_workers_per_gather = 1;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ) select anchor, head, rewrites, recreated from log;

with sample as materialized (select search from event_texts where id = any($1::bigint[]) union all select search from event_side_texts where part = any($2::text[]) and id = any($3::bigint[])) select split_part(search, $4, 1) <> search as hit, array( select strpos(search, trigram) > 0 from unnest($5::text[]) with ordinality own(trigram, nth) order by nth ) as marks from sample;

select set_config('parallel_setup_cost', '0', true), set_config('parallel_tuple_cost', '0', true);

select count(*) as count from (select id from (select id from event_texts where split_part(search, $1, 1) <> search and true union all select id from event_side_texts where part = any($2::text[]) and split_part(search, $3, 1) <> search and true) hit group by id) hit;

commit;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ), page as materialized ( select e.id from events e where e.id > $1 and e.id <= $2 and (exists (select from event_texts t where t.id = e.id and split_part(t.search, $3, 1) <> t.search) or exists (select from event_side_texts t where t.id = e.id and t.part = any($4::text[]) and split_part(t.search, $5, 1) <> t.search)) and e.id > $6 and e.id <= $7 order by e.id desc offset $8 limit $9) select log.head, log.anchor, log.rewrites, shown.* from log, ( select count(*) as rows, min(e.id) as "lastId", coalesce(string_agg( '{"id":' || e.id || ',"createdAt":"' || (to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || case when e.created_at < '0001-01-01T00:00:00Z'::timestamptz then ' BC' else '' end) || '","type":' || coalesce(to_json(e.type)::text, 'null') || ',"createdBy":' || coalesce(to_json(e.created_by)::text, 'null') || ',"createdByUserId":' || coalesce(e.created_by_user_id::text, 'null') || ',"environment":' || coalesce(to_json(e.environment)::text, 'null') || ',"project":' || coalesce(to_json(e.project)::text, 'null') || ',"featureName":' || coalesce(to_json(e.feature_name)::text, 'null') || ',"data":' || coalesce(e.data::text, 'null') || ',"preData":' || coalesce(e.pre_data::text, 'null') || ',"tags":' || e.tags || ',"label":' || coalesce(to_json(e.label)::text, 'null') || ',"summary":' || coalesce(to_json(e.summary)::text, 'null') || ',"ip":' || coalesce(to_json(e.ip)::text, 'null') || ',"hash":"' || encode(e.hash, 'hex') || '"' || '' || '}', ',' order by e.id desc), '') as json from page join events e using (id) ) shown;
