start transaction isolation level repeatable read read only;

set local max_parallel_workers_per_gather = 1;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head from event_log ) select anchor, head, rewrites from log;

select id from (select id from event_texts where search like $1 and true union select id from event_side_texts where part = any($2::text[]) and search like $3 and true) hit limit $4;

select count(*) as count from (select id from event_texts where search like $1 and true union select id from event_side_texts where part = any($2::text[]) and search like $3 and true) hit;

commit;

start transaction isolation level repeatable read read only;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head from event_log ) select anchor, head, rewrites from log;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head from event_log ) select anchor, head, rewrites from log;

select e.id from events e where e.id > $1 and e.id <= $2 and (exists (select from event_texts t where t.id = e.id and strpos(t.search, $3) > 0) or exists (select from event_side_texts t where t.id = e.id and t.part = any($4::text[]) and strpos(t.search, $5) > 0)) and e.id > $6 and e.id <= $7 order by e.id desc limit $8;

select string_agg( '{"id":' || e.id || ',"createdAt":"' || to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","type":' || coalesce(to_json(e.type)::text, 'null') || ',"createdBy":' || coalesce(to_json(e.created_by)::text, 'null') || ',"createdByUserId":' || coalesce(e.created_by_user_id::text, 'null') || ',"environment":' || coalesce(to_json(e.environment)::text, 'null') || ',"project":' || coalesce(to_json(e.project)::text, 'null') || ',"featureName":' || coalesce(to_json(e.feature_name)::text, 'null') || ',"data":' || coalesce(e.data::text, 'null') || ',"preData":' || coalesce(e.pre_data::text, 'null') || ',"tags":' || e.tags || ',"label":' || coalesce(to_json(e.label)::text, 'null') || ',"summary":' || coalesce(to_json(e.summary)::text, 'null') || ',"ip":' || coalesce(to_json(e.ip)::text, 'null') || ',"hash":"' || encode(e.hash, 'hex') || '"' || '' || '}', ',' order by e.id desc) as json from events e where e.id = any($1::bigint[]);

commit;
