start transaction isolation level repeatable read read only;

set local max_parallel_workers_per_gather = 1;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ) select anchor, head, rewrites, recreated from log;

select array[( select count(*) from ( select from events e where e.project = $1 and e.id > $2 and e.id <= $3 limit $4 ) some_hits), ( select count(*) from ( select from events e where e.type = $5 and e.id > $6 and e.id <= $7 limit $8 ) some_hits)]::int[] as counts;

with hit as materialized ( select e.id from events e where e.id = any(array(select e.id from events e where e.project = $1 and e.id > $2 and e.id <= $3)) and e.project = $4 and e.type = $5 and e.id > $6 and e.id <= $7) select (select count(*) from hit) as count, (select array_agg(id::float8 order by id) from (select id from hit limit $8) some_hits) as ids;

commit;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ), page as materialized ( select e.id from events e where e.project = $1 and e.type = $2 and e.id > $3 and e.id <= $4 and e.id > $5 and e.id <= $6 order by e.id desc offset $7 limit $8) select log.head, log.anchor, log.rewrites, shown.* from log, ( select count(*) as rows, min(e.id) as "lastId", coalesce(string_agg( '{"id":' || e.id || ',"createdAt":"' || (to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || case when e.created_at < '0001-01-01T00:00:00Z'::timestamptz then ' BC' else '' end) || '","type":' || coalesce(to_json(e.type)::text, 'null') || ',"createdBy":' || coalesce(to_json(e.created_by)::text, 'null') || ',"createdByUserId":' || coalesce(e.created_by_user_id::text, 'null') || ',"environment":' || coalesce(to_json(e.environment)::text, 'null') || ',"project":' || coalesce(to_json(e.project)::text, 'null') || ',"featureName":' || coalesce(to_json(e.feature_name)::text, 'null') || ',"data":' || coalesce(e.data::text, 'null') || ',"preData":' || coalesce(e.pre_data::text, 'null') || ',"tags":' || e.tags || ',"label":' || coalesce(to_json(e.label)::text, 'null') || ',"summary":' || coalesce(to_json(e.summary)::text, 'null') || ',"ip":' || coalesce(to_json(e.ip)::text, 'null') || ',"hash":"' || encode(e.hash, 'hex') || '"' || '' || '}', ',' order by e.id desc), '') as json from page join events e using (id) ) shown;
