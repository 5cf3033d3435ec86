import type pg from 'pg';
import type { Bench, Experiment, Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { send } from '../send.ts';

const project = 'counts-bench';
const features = 5_000;
const applications = 40;
/** As many as one page of the list shows. */
const shown = 50;
const unknownFlags = 5_000;
const openRequests = 1_000;
const samples = 50;

/**
 * Fills the counts of a week: the shown features, evaluated by every application in three environments each hour, names
 * that no feature has, and open change requests.
 */
async function fillUsage(pool: pg.Pool): Promise<void> {
  const names = Array.from({ length: shown }, (_, nth) => featureOf(project, nth + 1));
  await pool.query(
    `insert into usage_hours (feature_name, hour, environment, app_name, yes, no)
     select name, date_trunc('hour', now()) - hour * interval '1 hour', environment, 'app-' || app, 1000, 10
     from unnest($1::text[]) name, generate_series(0, 167) hour, generate_series(1, $2::int) app,
       unnest(array['development', 'staging', 'production']) environment`,
    [names, applications],
  );
  await pool.query(
    `insert into evaluation_hours (feature_name, hour, yes, no)
     select feature_name, hour, sum(yes), sum(no) from usage_hours
     where feature_name = any($1) group by feature_name, hour`,
    [names],
  );
  await pool.query(
    `insert into applications (app_name, description, strategies, is_public, created_by, created_at, updated_at, seen_at)
     select 'app-' || app, '', '{}', false, 'admin', now(), now(), now() from generate_series(1, $1::int) app
     on conflict do nothing`,
    [applications],
  );
  await pool.query(
    `insert into application_reach (app_name, project, environment, seen_at)
     select 'app-' || app, '*', 'development', now() from generate_series(1, $1::int) app
     on conflict do nothing`,
    [applications],
  );
  await pool.query(
    `insert into unknown_features (name, app_name, environment, seen_at)
     select 'unknown-' || n, 'app-' || (1 + n % $2::int), 'development', now()
     from generate_series(1, $1::int) n on conflict do nothing`,
    [unknownFlags, applications],
  );
  await pool.query(
    `insert into change_requests
       (project, environment, state, state_times, min_approvals, created_by, created_by_user_id, created_at)
     select $1, 'production', case when n % 4 = 0 then 'Approved' else 'In review' end, '{}', 1, 'bench', -n, now()
     from generate_series(1, $2::int) n`,
    [project, openRequests],
  );
  await pool.query('vacuum analyze');
}

interface Somebody extends Service {
  readonly id: number;
}

/** An account, because tokens follow and own nothing. */
async function createAccount(admin: Service, rootRole: number): Promise<Somebody> {
  const made = await send(admin, 'POST', '/api/admin/service-account', {
    username: `counts-bench-${rootRole}-${Date.now()}`,
    rootRole,
  });
  const { id } = JSON.parse(made.text) as { id: number };
  const token = await send(admin, 'POST', `/api/admin/service-account/${id}/token`, {
    description: 'bench',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return { ...admin, id, token: (JSON.parse(token.text) as { secret: string }).secret };
}

async function rowOf(
  name: string,
  targetMs: number,
  ask: () => Promise<{ readonly ms: number }>,
): Promise<Result> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) times.push((await ask()).ms);
  const ours = figureOf(times);
  return {
    name: `counts: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  };
}

const attention = '/api/admin/attention';

async function measure({ burgee, pool }: Bench): Promise<readonly Result[]> {
  const { rowCount } = await pool.query('select from projects where id = $1', [project]);
  if (rowCount === 0) {
    await fillProject(pool, { project, features, eventsPerFeature: 1 });
    await fillUsage(pool);
  }
  const admin = await createAccount(burgee, 1);
  const viewer = await createAccount(burgee, 3);
  await pool.query('update features set owner_user_id = $1 where project = $2', [
    admin.id,
    project,
  ]);
  await send(admin, 'PUT', `/api/admin/user/follows/projects/${project}`);
  await pool.query('update project_follows set after_id = 0 where user_id = $1', [admin.id]);
  const names = Array.from({ length: shown }, (_, nth) => featureOf(project, nth + 1));
  return [
    await rowOf('attention', 50, () => send(admin, 'GET', attention)),
    await rowOf('attention, for a viewer', 50, () => send(viewer, 'GET', attention)),
    await rowOf('evaluations of 50 features in a week', 50, () =>
      send(admin, 'POST', '/api/admin/client-metrics/evaluations', { features: names }),
    ),
    await rowOf('notifications', 50, () =>
      send(admin, 'GET', '/api/admin/user/follows/notifications'),
    ),
    await rowOf('features of an owner', 50, () =>
      send(admin, 'GET', `/api/admin/search/features?owner=IS%3Auser%3A${admin.id}&limit=50`),
    ),
  ];
}

/** What every page counts beside its own data, and what the list of features adds to its rows. */
export const counts: Experiment = { name: 'counts', run: measure };
