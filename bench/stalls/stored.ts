import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Service } from '../load.ts';
import { featureOf, fillProject } from '../many-features.ts';
import { send } from '../send.ts';
import { newToken } from '../tokens.ts';
import type { Names } from './cases.ts';
import { expression } from './worst-value.ts';

/** The callers, least privileged first. */
export interface Callers {
  readonly viewer: string;
  readonly editor: string;
  readonly admin: string;
  readonly frontend: string;
  readonly client: string;
}

const project = 'large';
const environment = 'development';
const featureName = 'hostile';

async function tokenOf(service: Service, username: string, rootRole: number): Promise<string> {
  const path = '/api/admin/service-account';
  const created = await send(service, 'POST', path, { name: username, username, rootRole });
  const { id } = JSON.parse(created.text) as { id: number };
  const body = { description: 'stalls', expiresAt: '2999-01-01T00:00:00.000Z' };
  const { text } = await send(service, 'POST', `${path}/${id}/token`, body);
  return (JSON.parse(text) as { secret: string }).secret;
}

/** What an older version accepted: 30 expressions of 2,700 instructions, each inverted. */
const oldConstraints = JSON.stringify(
  Array.from({ length: 30 }, (_, nth) => ({
    ...{ contextName: 'userId', operator: 'REGEX', values: [], caseInsensitive: false },
    ...{ inverted: true, value: `(a|b)*?(a(a|b){900})[c${nth}]` },
  })),
);

/** Returns the largest strategies that the API accepts. */
function strategies(count: number, segment: number) {
  return Array.from({ length: count }, (_, nth) => ({
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'default', groupId: 'x' },
    segments: [segment],
    constraints: [
      ...[1, 2, 3].map((place) => ({
        ...{ contextName: 'userId', operator: 'REGEX', inverted: true },
        value: expression(3 * nth + place),
      })),
      ...Array.from({ length: 10 }, (__, place) => ({
        ...{
          contextName: 'userId',
          operator: 'STR_CONTAINS',
          inverted: true,
          caseInsensitive: true,
        },
        values: Array.from({ length: 250 }, (___, at) => `${place}${at}b${'a'.repeat(20)}`),
      })),
    ],
    variants: Array.from({ length: 50 }, (__, place) => ({
      ...{ name: `v${place}`, weight: 20, weightType: 'variable', stickiness: 'default' },
      payload: { type: 'string', value: 'p'.repeat(200) },
    })),
  }));
}

/** Stores segments with the maximum number of values; a few hundred features use the same one. */
async function storeLargeSegments(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into segments (name, constraints, created_by, created_by_user_id, created_at)
     select 'large-' || nth, (select json_agg(json_build_object('contextName', 'userId', 'operator', 'IN', 'inverted', false,
       'caseInsensitive', false, 'values', (select json_agg('a-value-of-some-length-' || nth || '-' || place || '-' || at)
         from generate_series(1, 250) at))) from generate_series(1, 30) place), 'admin', 1, now()
     from generate_series(1, 100) nth`,
  );
  await pool.query(
    `insert into feature_strategy_segments (strategy_id, segment_id)
     select strategy.id, segment.id
     from (select id, row_number() over (order by feature_name) nth from feature_strategies
       where environment = $1 and feature_name like '%-feature-%') strategy
     join (select id, row_number() over (order by id) nth from segments where name like 'large-%') segment
       on strategy.nth <= 2000 and segment.nth = 1 + strategy.nth % 100`,
    [environment],
  );
}

/** Stored without their events, features make the history begin again, which no change can overlap. */
async function untilHistoryIsComplete(pool: pg.Pool): Promise<void> {
  const isComplete = async () => {
    const { rows } = await pool.query(
      'select from history_progress where event_id = (select max(id) from events)',
    );
    return rows.length > 0;
  };
  while (!(await isComplete())) await delay(500);
}

/** As many features as a revert may concern. */
const changedFeatures = 190;

/** The first and last event of changes that can be compared and reverted. The history begins with what is stored. */
async function changeMany(service: Service, pool: pg.Pool) {
  await pool.query('truncate history_states, history_gaps, history_moments, history_progress');
  await untilHistoryIsComplete(pool);
  const features = Array.from({ length: changedFeatures }, (_, nth) => featureOf(project, nth + 1));
  const head = async () => {
    const { rows } = await pool.query<{ id: string }>('select max(id) as id from events');
    return rows[0]?.id ?? '0';
  };
  const changedFrom = await head();
  const changedSince = new Date().toISOString();
  const root = `/api/admin/projects/${project}`;
  const path = `${root}/bulk_features/environments/${environment}`;
  await send(service, 'POST', `${path}/off`, { features });
  await send(service, 'POST', `${path}/on`, { features });
  await send(service, 'POST', `${root}/stale`, { features, stale: true });
  await send(service, 'PUT', `${root}/tags`, {
    features,
    tags: { addedTags: [{ type: 'simple', value: 'changed' }], removedTags: [] },
  });
  return { changedFrom, changedSince, changedTo: await head() };
}

/** Fills a new server with what is hardest to read, list, evaluate and export. Returns the callers. */
export async function storeTheWorst(
  service: Service,
  pool: pg.Pool,
  features: number,
): Promise<{ readonly names: Names; readonly callers: Callers }> {
  await fillProject(pool, { project, features, eventsPerFeature: 4 });
  await untilHistoryIsComplete(pool);
  const callers = {
    viewer: await tokenOf(service, 'stalls-viewer', 3),
    editor: await tokenOf(service, 'stalls-editor', 2),
    admin: service.token,
    frontend: await newToken(service, 'frontend', ['*']),
    client: await newToken(service, 'client', ['*']),
  };
  const segment = await send(service, 'POST', '/api/admin/segments', {
    name: 'hostile',
    constraints: [1, 2, 3].map((nth) => ({
      ...{ contextName: 'userId', operator: 'REGEX', value: expression(1_000 + nth) },
    })),
  });
  const { id } = JSON.parse(segment.text) as { id: number };
  const root = `/api/admin/projects/${project}/features`;
  await send(service, 'POST', root, { name: featureName });
  const place = `${root}/${featureName}/environments/${environment}`;
  let strategyId = '';
  for (const strategy of strategies(10, id)) {
    const { text } = await send(service, 'POST', `${place}/strategies`, strategy);
    strategyId = (JSON.parse(text) as { id: string }).id;
  }
  await send(service, 'POST', `${place}/on`);
  await pool.query(
    `update feature_strategies set constraints = $1::json
     where id in (select id from feature_strategies where feature_name like '%-feature-%' and environment = $2 order by feature_name limit 20)`,
    [oldConstraints, environment],
  );
  await pool.query(`update feature_environments set enabled = true where environment = $1`, [
    environment,
  ]);
  await storeLargeSegments(pool);
  const names = {
    ...{
      projectId: project,
      project,
      environment,
      environmentId: environment,
      featureName,
      strategyId,
    },
    ...{
      name: featureName,
      feature: featureName,
      id: String(id),
      contextField: 'userId',
      type: 'simple',
    },
    ...{ value: 'bench', strategyName: 'flexibleRollout', roleId: '1', userId: '1', groupId: '1' },
    ...{ key: featureName, appName: 'app', newProjectId: 'default' },
    ...(await changeMany(service, pool)),
  };
  return { names, callers };
}
