import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { toEntry } from '../../src/modules/events/record/record.ts';
import { inventActor } from '../batch.ts';
import { connections } from '../cannon.ts';
import type { Bench, Experiment, Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { tell } from '../happenings.ts';
import { type Parameters, search } from '../load.ts';
import { seededRandom } from '../random.ts';
import { authors, projects } from '../vocabulary.ts';

const random = seededRandom(99);

interface Appending {
  /** The statement itself, including the wait for the lock. */
  readonly statementMs: number;
  readonly transactionMs: number;
}

/** Runs one transaction with one event, which every change includes. */
async function append(client: pg.PoolClient): Promise<Appending> {
  const entry = toEntry(tell(random, undefined), inventActor(random), new Date());
  const batch = JSON.stringify([entry]);
  const began = performance.now();
  await client.query('begin');
  const asked = performance.now();
  await client.query({
    name: 'append',
    text: 'select append_events($1::json)',
    values: [batch],
  });
  const statementMs = performance.now() - asked;
  await client.query('commit');
  return { statementMs, transactionMs: performance.now() - began };
}

async function withClient<Value>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Value>) {
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    client.release();
  }
}

const costTargetMs = 2;
const costSamples = 2_000;

const cost = ({ pool }: Bench): Promise<Result> =>
  withClient(pool, async (client) => {
    const times: number[] = [];
    const began = performance.now();
    for (let sample = 0; sample < costSamples; sample += 1) {
      times.push((await append(client)).statementMs);
    }
    const perSecond = (costSamples * 1000) / (performance.now() - began);
    const ours = { ...figureOf(times), perSecond };
    return {
      name: 'append: one connection',
      target: `mean < ${costTargetMs} ms`,
      met: ours.meanMs < costTargetMs,
      ours: { ...ours, note: `mean ${ours.meanMs.toFixed(2)} ms in the database` },
    };
  });

async function crowd({ pool, seconds }: Bench): Promise<Result> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, () =>
      withClient(pool, async (client) => {
        while (performance.now() < until) times.push((await append(client)).transactionMs);
      }),
    ),
  );
  const perSecond = (times.length * 1000) / (performance.now() - began);
  return { name: 'append: 8 connections', ours: { ...figureOf(times), perSecond } };
}

const steadySeconds = 30;
const steadyPerSecond = 200;
const longestWaitMs = 50;
const searchers = 2;

/** Returns the nth search that was not sent before: each word with each project, then of each author. */
function freshSearch({ needles }: Bench, nth: number): Parameters {
  const words = needles.thousand;
  const { query = '' } = words[nth % words.length] ?? {};
  const project = projects[Math.floor(nth / words.length) % projects.length] ?? '';
  const round = Math.floor(nth / words.length / projects.length);
  return {
    query,
    project: `IS:${project}`,
    queryIn: 'data,preData',
    ...(round > 0 && { createdBy: `IS:${authors[round % authors.length]?.id}` }),
  };
}

async function besideSearches(bench: Bench): Promise<Result> {
  const times: number[] = [];
  const began = performance.now();
  let writing = true;
  let asked = 0;
  const searching = Array.from({ length: searchers }, async () => {
    while (writing) {
      asked += 1;
      await search(bench.burgee, freshSearch(bench, asked));
    }
  });
  await withClient(bench.pool, async (client) => {
    for (let nth = 0; nth < steadySeconds * steadyPerSecond; nth += 1) {
      const due = began + (nth * 1000) / steadyPerSecond;
      const early = due - performance.now();
      if (early > 0) await sleep(early);
      if (performance.now() - began > steadySeconds * 1000) break;
      times.push((await append(client)).statementMs);
    }
  });
  writing = false;
  await Promise.all(searching);
  const ours = figureOf(times);
  return {
    name: `append: ${steadyPerSecond}/s during searches`,
    target: `max < ${longestWaitMs} ms`,
    met: ours.maxMs < longestWaitMs,
    ours: {
      ...ours,
      perSecond: times.length / steadySeconds,
      note: `max ${ours.maxMs.toFixed(1)} ms, ${asked} searches`,
    },
  };
}

/** Runs last, because it changes the log that the others count. */
export const writes: Experiment = {
  name: 'writes',
  run: async (bench) => [await cost(bench), await crowd(bench), await besideSearches(bench)],
};
