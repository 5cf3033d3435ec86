start transaction isolation level repeatable read read only;

set local max_parallel_workers_per_gather = 1;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ) select anchor, head, rewrites, recreated from log;

with recursive names as ( (select project from events where project is not null order by project limit 1) union all select (select e.project from events e where e.project > n.project order by e.project limit 1) from names n where n.project is not null ) select project from names where project is not null;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ) select anchor, head, rewrites, recreated from log;

select avg((project = any($1::text[]))::int)::float8 as part from events where id = any($2::bigint[]);

select hit.project, hit.all, case when own.id is null then 0 else hit.all end as current from (select project, count(*) as all from ( select e.id, e.project from events e where e.project = any($1::text[]) and e.id > $2 and e.id <= $3 union all select e.id, null as project from events e where e.project is null and e.id > $4 and e.id <= $5) hit group by project) hit left join projects own on own.id = hit.project;

commit;

with log as materialized ( select anchor_id as anchor, rewrites, coalesce((select max(id) from events), anchor_id) as head, coalesce((select max(first_event_id) from projects), 0) as recreated from event_log ), page as materialized ( select e.id from events e where e.project = any($1::text[]) order by e.id desc offset $2 limit $3) select log.head, log.anchor, log.rewrites, shown.* from log, ( select count(*) as rows, min(e.id) as "lastId", coalesce(string_agg( '{"id":' || e.id || ',"createdAt":"' || (to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || case when e.created_at < '0001-01-01T00:00:00Z'::timestamptz then ' BC' else '' end) || '","type":' || coalesce(to_json(e.type)::text, 'null') || ',"createdBy":' || coalesce(to_json(e.created_by)::text, 'null') || ',"createdByUserId":' || coalesce(e.created_by_user_id::text, 'null') || ',"environment":' || coalesce(to_json(e.environment)::text, 'null') || ',"project":' || coalesce(to_json(e.project)::text, 'null') || ',"featureName":' || coalesce(to_json(e.feature_name)::text, 'null') || ',"data":' || coalesce(e.data::text, 'null') || ',"preData":' || coalesce(e.pre_data::text, 'null') || ',"tags":' || e.tags || ',"label":' || coalesce(to_json(e.label)::text, 'null') || ',"summary":' || coalesce(to_json(e.summary)::text, 'null') || ',"ip":' || 'null' || ',"hash":"' || encode(e.hash, 'hex') || '"' || '' || '}', ',' order by e.id desc), '') as json from page join events e using (id) ) shown;
