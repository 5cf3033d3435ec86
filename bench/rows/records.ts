import type pg from 'pg';
import type { Bench, Experiment, Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { send } from '../send.ts';

const samples = 100;
const targetMs = 20;

const attempt = JSON.stringify([
  {
    at: '2026-01-01T00:00:00.000Z',
    state: 'success',
    stateDetails: 'Webhook accepted the event (status code: 200).',
    status: 200,
    latencyMs: 12,
    exchanges: [
      {
        request: { method: 'POST', url: 'https://hooks.example.com/', headers: {} },
        response: { status: 200, headers: { server: 'example' }, body: 'ok' },
        latencyMs: 12,
      },
    ],
  },
]);

/** Inserts one record for every event of the log. One in a hundred failed. */
async function fill(pool: pg.Pool, integrationId: number): Promise<void> {
  await pool.query(
    `insert into deliveries (id, integration_id, event_id, event_type, project, created_at, message,
       state, next_at, tries, fence, outcome, state_details, target, attempts, latency_ms, attempted_at)
     select gen_random_uuid(), $1, e.id, e.type, e.project, e.created_at,
       json_build_object('contentType', 'application/json', 'body', '{}', 'templated', false),
       case when e.id % 100 = 0 then 'givenUp' else 'delivered' end, null, 1, 1,
       case when e.id % 100 = 0 then 'failed' else 'success' end, 'told', 'https://hooks.example.com/',
       $2::jsonb, 12, e.created_at
     from events e`,
    [integrationId, attempt],
  );
  await pool.query('vacuum analyze deliveries');
}

async function measure({ burgee }: Bench, path: string, name: string, query: string) {
  const times: number[] = [];
  // The first reads are not counted, because the connection has not run the statement before.
  for (let nth = 0; nth < samples + 5; nth += 1) {
    const { ms, text } = await send(burgee, 'GET', `${path}?limit=50${query}`);
    if (!text.includes('"integrationEvents":[{')) throw new Error(`${name} found nothing`);
    if (nth >= 5) times.push(ms);
  }
  const ours = figureOf(times);
  return {
    name: `records: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
  } satisfies Result;
}

/** A page of 50 delivery records, with one record per event. */
export const records: Experiment = {
  name: 'records',
  async run(bench) {
    const { text } = await send(bench.burgee, 'POST', '/api/admin/addons', {
      provider: 'webhook',
      enabled: false,
      events: ['feature-created'],
      parameters: { url: 'https://hooks.example.com/' },
    });
    const { id } = JSON.parse(text) as { id: number };
    await fill(bench.pool, id);
    const { rows } = await bench.pool.query<{ id: string; type: string; day: string }>(
      `select id, type, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as day
       from events order by id offset 1000 limit 1`,
    );
    const [old] = rows;
    const path = `/api/admin/addons/${id}/events`;
    const asked: [string, string][] = [
      ['newest', ''],
      ['failed', '&state=failed'],
      ['one type', '&type=feature-archived'],
      ['an old day', `&from=${old?.day}&to=${old?.day}`],
      ['one event', `&event=${old?.id}`],
      ['offset 10,000', '&offset=10000'],
    ];
    const results: Result[] = [];
    for (const [name, query] of asked) results.push(await measure(bench, path, name, query));
    await bench.pool.query('delete from deliveries where integration_id = $1', [id]);
    await send(bench.burgee, 'DELETE', `/api/admin/addons/${id}`);
    return results;
  },
};
