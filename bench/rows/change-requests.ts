import type pg from 'pg';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { send } from '../send.ts';

const project = 'default';
const open = 1_000;
const scheduled = 10_000;
const samples = 40;
const targetMs = 50;

/**
 * Requests that update a strategy, written directly to the database, because proposing them takes longer than all
 * measurements. The newest ones are in review.
 */
async function fillRequests(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with requests as (
       insert into change_requests (project, environment, title, state, state_times, min_approvals, created_by, created_by_user_id, created_at)
       select $1, 'production', 'Request ' || n, case when n > $2 then 'In review' else 'Scheduled' end,
         jsonb_build_object('In review', now()), 1, 'admin', -2000, now()
       from generate_series(1, $2::int + $3::int) n
       returning id, state)
     , changes as (
       insert into change_request_changes (request_id, position, feature, action, payload, base, created_by, created_by_user_id, created_at)
       select requests.id, 1, $1 || '-feature-' || lpad((1 + requests.id % 1000)::text, 5, '0'), 'updateEnabled',
         '{"enabled": true}', null, 'admin', -2000, now()
       from requests
       union all
       select requests.id, 2, strategy.feature_name, 'updateStrategy',
         jsonb_build_object('id', strategy.id, 'name', strategy.name, 'parameters', '{"rollout": "50"}'::jsonb), '{}', 'admin', -2000, now()
       from requests join lateral (
         select id, name, feature_name from feature_strategies
         where environment = 'production' and feature_name = $1 || '-feature-' || lpad((1 + requests.id % 1000)::text, 5, '0')
         limit 1) strategy on true
       returning request_id)
     insert into change_request_schedules (request_id, scheduled_at, when_overdue, status, scheduled_by, created_at)
     select id, now() + interval '1 day' + id * interval '1 minute', 'apply', 'pending', '{"kind": "token", "id": 2000, "name": "admin"}', now()
     from requests where state = 'Scheduled'`,
    [project, scheduled, open],
  );
  await pool.query('analyze');
}

async function measured(service: Service, name: string, path: string): Promise<Result> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    times.push((await send(service, 'GET', path)).ms);
  }
  const ours = figureOf(times);
  return {
    name: `change requests: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  };
}

/** Lists with 1,000 open requests and 10,000 schedules. */
export const measureChangeRequests = (): Promise<readonly Result[]> =>
  onFreshBurgee(async ({ service, pool }) => {
    await fillProject(pool, { project, features: 1_000, eventsPerFeature: 1 });
    await fillRequests(pool);
    const requests = `/api/admin/projects/${project}/change-requests`;
    const search = '/api/admin/search/change-requests?state=IS:open';
    return [
      await measured(service, 'the newest 300 of a project', requests),
      await measured(service, 'search, first page', search),
      await measured(service, 'of a feature', `${requests}/pending/${featureOf(project, 7)}`),
      await measured(service, 'counts of a project', `${requests}/count`),
      await measured(service, 'actionable', `${requests}/actionable`),
    ];
  });
