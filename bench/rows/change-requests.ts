import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { type Fresh, onFreshBurgee } from '../on-burgee.ts';
import { startBurgee } from '../process.ts';
import { send } from '../send.ts';
import { temporaryFolder } from './starts.ts';

const project = 'default';
const open = 1_000;
const scheduled = 10_000;
const samples = 40;
/** Requests that are not measured, because the code of a new process is slow at first. */
const warmUps = 10;
const targetMs = 50;

/**
 * Requests that enable a feature and update its strategy, written directly to the database, because proposing them takes
 * longer than all measurements. The newest ones are in review, and one of twenty has a conflict.
 */
async function fillRequests(pool: pg.Pool): Promise<void> {
  await pool.query(
    `with requests as (
       insert into change_requests (project, environment, title, state, state_times, min_approvals, created_by, created_by_user_id, created_at)
       select $1, 'production', 'Request ' || n, case when n > $2 then 'In review' else 'Scheduled' end,
         jsonb_build_object('In review', now()), 1, 'admin', -1, now()
       from generate_series(1, $2::int + $3::int) n
       returning id, state)
     , changes as (
       insert into change_request_changes (request_id, position, feature, action, payload, base, created_by, created_by_user_id, created_at)
       select requests.id, 1, $1 || '-feature-' || lpad((1 + requests.id % 1000)::text, 5, '0'), 'updateEnabled',
         '{"enabled": true}'::jsonb, null::jsonb, 'admin', -1, now()
       from requests
       union all
       select requests.id, 2, strategy.feature_name, 'updateStrategy',
         jsonb_build_object('id', strategy.id, 'name', strategy.name, 'parameters', '{"rollout": "50"}'::jsonb),
         case when requests.id % 20 = 0 then '{}'::jsonb else jsonb_build_object('id', strategy.id, 'name', strategy.name, 'disabled', false,
           'parameters', strategy.parameters, 'constraints', strategy.constraints, 'variants', strategy.variants, 'segments', '[]'::jsonb) end, 'admin', -1, now()
       from requests join lateral (
         select id, name, feature_name, parameters, constraints, variants from feature_strategies
         where environment = 'production' and feature_name = $1 || '-feature-' || lpad((1 + requests.id % 1000)::text, 5, '0')
         limit 1) strategy on true
       returning request_id)
     insert into change_request_schedules (request_id, scheduled_at, when_overdue, status, scheduled_by, created_at, changed_at)
     select id, now() + interval '1 day' + id * interval '1 minute', 'apply', 'pending', '{"kind": "token", "id": 2000, "name": "admin"}', now(), now()
     from requests where state = 'Scheduled'`,
    [project, scheduled, open],
  );
  await pool.query('vacuum analyze');
}

/** A user, because tokens approve nothing: an administrator, or an owner of the project. */
async function createUser(admin: Service, rootRole: number): Promise<Service> {
  const username = `reviewer-${rootRole}`;
  const password = 'correct-horse-battery-11A!';
  const made = await send(admin, 'POST', '/api/admin/user-admin', {
    ...{ username, password, rootRole, sendEmail: false },
  });
  const { id } = JSON.parse(made.text) as { id: number };
  if (rootRole !== 1) {
    await send(admin, 'PUT', `/api/admin/projects/${project}/users/${id}/roles`, { roles: [4] });
  }
  const json = { 'content-type': 'application/json' };
  const login = await fetch(`${admin.url}/auth/simple/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ username, password }),
  });
  const [cookie = ''] = login.headers.getSetCookie();
  const token = await fetch(`${admin.url}/api/admin/user/tokens`, {
    method: 'POST',
    headers: { ...json, cookie: cookie.split(';')[0] ?? '' },
    body: JSON.stringify({ description: 'bench', expiresAt: '2100-01-01T00:00:00.000Z' }),
  });
  return { ...admin, token: ((await token.json()) as { secret: string }).secret };
}

async function measured(service: Service, name: string, path: string): Promise<Result> {
  const times: number[] = [];
  for (let sample = 0; sample < warmUps + samples; sample += 1) {
    times.push((await send(service, 'GET', path)).ms);
  }
  const ours = figureOf(times.slice(warmUps));
  return {
    name: `change requests: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  };
}

const requests = `/api/admin/projects/${project}/change-requests`;
const search = '/api/admin/search/change-requests?state=IS:open';
const feature = featureOf(project, 7);

const lists: readonly (readonly [name: string, path: string])[] = [
  ['the newest 300 of a project', requests],
  ['one', `${requests}/${scheduled + 1}`],
  ['own pending', `${requests}/pending`],
  ['of a feature', `${requests}/pending/${feature}`],
  ['schedules of a feature', `${requests}/scheduled?feature=${feature}`],
  ['counts of a project', `${requests}/count`],
  ['actionable', `${requests}/actionable`],
  ['search, first page', search],
  ['search, a late page', `${search}&offset=9000`],
];

/** How often the table of schedules is read while nothing happens. */
async function measureIdle(pool: pg.Pool): Promise<Result> {
  const scans = async () => {
    const { rows } = await pool.query(
      `select seq_scan + coalesce(idx_scan, 0) as scans from pg_stat_user_tables where relname = 'change_request_schedules'`,
    );
    return Number(rows[0].scans);
  };
  // The statistics of a connection are written when it has been idle for a while.
  await sleep(12_000);
  const before = await scans();
  await sleep(20_000);
  const reads = (await scans()) - before;
  return {
    name: 'change requests: reads of schedules in 20 s without a due one',
    target: '0',
    met: reads === 0,
    ours: { note: String(reads) },
  };
}

const timed = 20;

/** How late schedules are applied, one a second, with two instances on the database. */
async function measureTiming({ service, pool, shared }: Fresh): Promise<Result> {
  const second = await startBurgee(temporaryFolder(), shared);
  try {
    const began = Date.now() + 5_000;
    const due = new Map<number, number>();
    for (let nth = 0; nth < timed; nth += 1) {
      const made = await send(
        service,
        'POST',
        `/api/admin/projects/${project}/environments/development/change-requests`,
        {
          feature: featureOf(project, 900 + nth),
          action: 'updateEnabled',
          payload: { enabled: nth % 2 === 0 },
        },
      );
      const { id } = JSON.parse(made.text) as { id: number };
      const at = began + nth * 1_000;
      due.set(id, at);
      await send(service, 'PUT', `${requests}/${id}/state`, {
        state: 'Scheduled',
        scheduledAt: new Date(at).toISOString(),
      });
    }
    const list = async () => {
      const { rows } = await pool.query(
        `select id, (state_times ->> 'Applied')::timestamptz as at from change_requests where id = any($1) and state = 'Applied'`,
        [[...due.keys()]],
      );
      return rows as { id: number; at: Date }[];
    };
    let applied = await list();
    while (applied.length < timed && Date.now() < began + (timed + 60) * 1_000) {
      await sleep(250);
      applied = await list();
    }
    const { rows } = await pool.query(
      `select count(*)::int as events from events where type = 'change-request-applied' and (data ->> 'changeRequestId')::int = any($1)`,
      [[...due.keys()]],
    );
    const ours = figureOf(applied.map(({ id, at }) => at.getTime() - (due.get(id) ?? 0)));
    const isOnce = rows[0].events === timed && applied.length === timed;
    return {
      name: 'change requests: delay of a schedule, two instances',
      target: 'max < 1 s, each once',
      met: ours.maxMs < 1_000 && isOnce,
      ours: { ...ours, note: `${rows[0].events} of ${timed} applied` },
    };
  } finally {
    await second.stop();
  }
}

const previewTargetMs = 300;

/** The preview of a request that adds a rollout with 5 constraints to each of 10 features. */
async function measurePreview(service: Service): Promise<Result> {
  const constraints = ['country', 'plan', 'region', 'role', 'appName'].map((contextName) => ({
    ...{ contextName, operator: 'IN', values: ['a', 'b', 'c'] },
  }));
  const changes = Array.from({ length: 10 }, (_, nth) => ({
    feature: featureOf(project, 800 + nth),
    action: 'addStrategy',
    payload: {
      name: 'flexibleRollout',
      parameters: { rollout: '25', stickiness: 'default', groupId: `preview-${nth}` },
      constraints,
    },
  }));
  const proposals = `/api/admin/projects/${project}/environments/staging/change-requests`;
  const made = await send(service, 'POST', proposals, changes);
  const { id } = JSON.parse(made.text) as { id: number };
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    times.push((await send(service, 'POST', `${requests}/${id}/preview`, {})).ms);
  }
  const ours = figureOf(times);
  return {
    name: 'change requests: preview of 10 features with 5 constraints each',
    target: `p95 < ${previewTargetMs} ms`,
    met: ours.p95Ms < previewTargetMs,
    ours,
  };
}

/** Lists with 1,000 open requests and 10,000 schedules, and what schedules cost. */
export const measureChangeRequests = (): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    const { service, pool } = fresh;
    await fillProject(pool, { project, features: 1_000, eventsPerFeature: 1 });
    await fillRequests(pool);
    const results: Result[] = [];
    for (const [who, rootRole] of [
      ['administrator', 1],
      ['member', 3],
    ] as const) {
      const user = await createUser(service, rootRole);
      for (const [name, path] of lists) {
        results.push(await measured(user, `${name}, ${who}`, path));
      }
    }
    return [
      ...results,
      await measurePreview(service),
      await measureIdle(pool),
      await measureTiming(fresh),
    ];
  });
