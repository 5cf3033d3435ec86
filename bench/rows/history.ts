import type pg from 'pg';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { send } from '../send.ts';

const project = 'default';
const features = 2_000;
/** Each feature has a state of its own and one in each of three environments. */
const things = features * 4;
const events = 1_000_000;
const samples = 60;
const targetMs = 300;

/**
 * A million events, each of which led to another state of a feature, written directly to the database. The last event
 * is the only one in the log: nothing else is read from it.
 */
async function fillHistory(pool: pg.Pool): Promise<void> {
  await pool.query('truncate history_states, history_gaps, history_moments');
  await pool.query(
    `with things as (
       select 'feature' as kind, name as key, '' as part, jsonb_build_object(
         'name', name, 'project', project, 'type', type, 'description', description, 'stale', stale,
         'impressionData', impression_data, 'createdAt', '2026-01-01T00:00:00.000Z', 'archivedAt', null,
         'owner', null, 'expiresAt', null, 'tags', '[]'::jsonb, 'links', '[]'::jsonb,
         'dependencies', '[]'::jsonb) as state
       from features
       union all
       select 'feature-environment', state.feature_name, state.environment, jsonb_build_object(
         'enabled', state.enabled, 'variants', '[]'::jsonb, 'strategies', jsonb_agg(jsonb_build_object(
           'id', strategy.id, 'name', strategy.name, 'title', null, 'disabled', false,
           'sortOrder', strategy.sort_order, 'parameters', strategy.parameters,
           'constraints', strategy.constraints, 'variants', strategy.variants, 'segments', '[]'::jsonb)))
       from feature_environments state
       join feature_strategies strategy using (feature_name, environment)
       group by state.feature_name, state.environment, state.enabled
     ), numbered as (select *, row_number() over (order by key, part) as nth from things)
     insert into history_states (kind, key, part, from_id, to_id, state, evaluated_from_id)
     select kind, key, part, round * $1::int + nth,
       case when (round + 1) * $1::int + nth <= $2::int then (round + 1) * $1::int + nth end,
       state || jsonb_build_object('description', 'round ' || round),
       case when kind = 'feature' then nth end
     from generate_series(0, $2::int / $1::int - 1) round cross join numbered`,
    [things, events],
  );
  await pool.query(
    `insert into history_states (kind, key, part, from_id, state)
     select 'environment', name, '', 0, jsonb_build_object('name', name, 'type', type, 'enabled', enabled,
       'protected', protected, 'sortOrder', sort_order)
     from environments
     union all
     select 'project-environment', project, environment, 0, jsonb_build_object('defaultStrategy', null,
       'changeRequestsEnabled', false, 'requiredApprovals', null)
     from project_environments`,
  );
  await pool.query(
    `insert into events (id, created_at, type, created_by, tags, label, summary, actor_seal, hash)
     values ($1, now(), 'feature-favorited', 'admin', '[]', '', '', '', '')`,
    [events],
  );
  await pool.query('update history_progress set event_id = $1', [events]);
  await pool.query('vacuum analyze history_states');
}

/** Moments spread over the whole history, in no order. */
const moments = Array.from(
  { length: samples },
  (_, nth) => things + ((nth * 7_919_993) % (events - things)),
);

async function measured(
  service: Service,
  name: string,
  pathOf: (asOf: number) => string,
  bodyOf?: (asOf: number) => object,
): Promise<Result> {
  const times: number[] = [];
  for (const asOf of moments) {
    const { ms } = bodyOf
      ? await send(service, 'POST', pathOf(asOf), bodyOf(asOf))
      : await send(service, 'GET', pathOf(asOf));
    times.push(ms);
  }
  const ours = figureOf(times);
  return {
    name: `history: ${name}, any moment in ${events.toLocaleString('en')} events`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  };
}

/** What the playground takes without the past, to compare with. */
async function measuredNow(service: Service): Promise<Result> {
  const times: number[] = [];
  for (const _ of moments) {
    const body = { environment: 'production', projects: '*', context: { appName: 'bench' } };
    times.push((await send(service, 'POST', '/api/admin/playground', body)).ms);
  }
  const name = `history: playground with ${features.toLocaleString('en')} features, now`;
  return { name, ours: figureOf(times) };
}

export const measureHistory = (): Promise<readonly Result[]> =>
  onFreshBurgee(async ({ service, pool }) => {
    await fillProject(pool, { project, features, eventsPerFeature: 0 });
    await fillHistory(pool);
    const feature = `/api/admin/projects/${project}/features/${featureOf(project, 7)}`;
    const received = '/api/admin/environments/production/client-features';
    return [
      await measured(service, 'one feature', (asOf) => `${feature}?asOf=${asOf}`),
      await measured(
        service,
        `what SDKs received, ${features.toLocaleString('en')} features`,
        (asOf) => `${received}?asOf=${asOf}`,
      ),
      await measured(
        service,
        `a page of the search of ${features.toLocaleString('en')} features`,
        (asOf) => `/api/admin/search/features?asOf=${asOf}`,
      ),
      await measured(
        service,
        `playground with ${features.toLocaleString('en')} features`,
        () => '/api/admin/playground',
        (asOf) => ({
          ...{ environment: 'production', projects: '*', context: { appName: 'bench' } },
          asOf: String(asOf),
        }),
      ),
      await measuredNow(service),
    ];
  });
