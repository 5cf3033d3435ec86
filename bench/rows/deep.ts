import {
  type Bench,
  countEvents,
  countTexts,
  type Experiment,
  type Result,
} from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { type Parameters, type Service, search, searchFor } from '../load.ts';
import { projects } from '../vocabulary.ts';

/** Any offset has to be correct. Cursors are the fast way. */
const offsetTargetMs = 2_000;
const offsetSamples = 20;

/** Reads a page at nine tenths of the log, at a different offset each time. */
async function atOffset(
  service: Service,
  depth: number,
  parameters: Parameters,
  expected?: number,
) {
  await searchFor(service, parameters, expected);
  const times: number[] = [];
  for (let sample = 0; sample < offsetSamples; sample += 1) {
    times.push(await searchFor(service, { ...parameters, offset: depth + sample }, expected));
  }
  return figureOf(times);
}

async function offsets(bench: Bench): Promise<Result[]> {
  const { burgee, reference, reader } = bench;
  const total = await countEvents(bench, 'true');
  const depth = Math.floor(total * 0.9);
  const ofProjects = await countEvents(bench, 'project = any($1)', [projects]);
  const released = await countTexts(bench, 'release');
  const all: readonly (readonly [name: string, parameters: Parameters, expected: number])[] = [
    ['no filter', {}, total],
    ['20 projects', { project: `IS_ANY_OF:${projects.join(',')}` }, ofProjects],
    ['a word in every event', { query: 'release' }, released],
  ];
  const results: Result[] = [];
  for (const [name, parameters, expected] of all) {
    const ours = await atOffset(burgee, depth, parameters, expected);
    results.push({
      name: `offset ${depth.toLocaleString('en')}: ${name}`,
      target: `p95 < ${offsetTargetMs} ms`,
      met: ours.p95Ms < offsetTargetMs,
      ours,
      ...(reader && { reader: reader.name }),
      ...(reference && { reference: await atOffset(reference, depth, parameters) }),
    });
  }
  return results;
}

const walkedPages = 1_000;
const stretch = 100;
const slack = 1.5;

/** Follows the cursor from page to page. Returns the time of each. */
async function walk(service: Service, start: Parameters, count: number): Promise<number[]> {
  const times: number[] = [];
  let parameters = start;
  let before = Number.POSITIVE_INFINITY;
  for (let page = 0; page < count; page += 1) {
    const { answer, ms } = await search(service, parameters);
    const ids = answer.events.map(({ id }) => id);
    if (ids[0] === undefined || ids[0] >= before) throw new Error('the cursor does not go on');
    before = ids.at(-1) ?? 0;
    times.push(ms);
    if (!answer.nextCursor) break;
    parameters = { cursor: answer.nextCursor };
  }
  return times;
}

async function cursor(bench: Bench): Promise<Result[]> {
  const { burgee, reader } = bench;
  const total = await countEvents(bench, 'true');
  const times = await walk(burgee, {}, walkedPages);
  const deep = (await walk(burgee, { offset: Math.floor(total * 0.9) }, stretch + 1)).slice(1);
  const start = figureOf(times.slice(0, stretch));
  const stretches = [
    ['pages 1 to 100', start],
    ['middle', figureOf(times.slice(times.length / 2, times.length / 2 + stretch))],
    ['pages 901 to 1,000', figureOf(times.slice(-stretch))],
    ['after 90% of the log', figureOf(deep)],
  ] as const;
  return stretches.map(([name, ours]) => ({
    name: `cursor: ${name}`,
    target: `p50 ≤ ${slack} × the first 100 pages`,
    met: ours.p50Ms <= slack * start.p50Ms,
    ours,
    ...(reader && { reader: reader.name }),
  }));
}

export const deepPages: Experiment = {
  name: 'deep',
  run: async (bench) => [...(await offsets(bench)), ...(await cursor(bench))],
};
