import { type Bench, countEvents, type Experiment, type Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { send } from '../send.ts';
import { featureNames } from '../vocabulary.ts';

const targetMs = 50;
const samples = 20;

const resultOf = (bench: Bench, name: string, times: readonly number[]): Result => {
  const ours = figureOf(times);
  return {
    name: `list: ${name}`,
    target: `p95 < ${targetMs} ms`,
    met: ours.p95Ms < targetMs,
    ours,
    ...(bench.reader && { reader: bench.reader.name }),
  };
};

/** Measures the newest events of features, each requested for the first time. Compares their totals. */
async function ofFeatures(bench: Bench): Promise<Result> {
  const times: number[] = [];
  for (const name of featureNames.slice(100, 100 + samples)) {
    const expected = await countEvents(bench, 'feature_name = $1', [name]);
    const { text, ms } = await send(bench.burgee, 'GET', `/api/admin/events/${name}`);
    const { totalEvents } = JSON.parse(text) as { totalEvents: number };
    if (totalEvents !== expected) throw new Error(`${name}: ${totalEvents}, not ${expected}`);
    times.push(ms);
  }
  return resultOf(bench, 'events of a feature, first', times);
}

async function ofCreators(bench: Bench): Promise<Result> {
  const { rows } = await bench.pool.query<{ count: string }>(
    `select count(distinct created_by_user_id) as count from events
     where created_by_user_id is not null ${bench.reader ? 'and project = any($1)' : ''}`,
    bench.reader ? [bench.reader.sees] : [],
  );
  const expected = Number(rows[0]?.count);
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const { text, ms } = await send(bench.burgee, 'GET', '/api/admin/event-creators');
    const { length } = JSON.parse(text) as unknown[];
    if (length !== expected) throw new Error(`${length} creators, not ${expected}`);
    times.push(ms);
  }
  return resultOf(bench, 'creators of events', times);
}

/** Lists with which a page of the UI begins. */
export const lists: Experiment = {
  name: 'lists',
  run: async (bench) => [await ofFeatures(bench), await ofCreators(bench)],
};
