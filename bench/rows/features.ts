import { rmSync } from 'node:fs';
import { onLines, type Shot, shotsPerSecond } from '../cannon.ts';
import type { Result } from '../experiment.ts';
import { type Figure, figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { adminToken, startBurgee } from '../process.ts';
import { send } from '../send.ts';
import { temporaryFolder } from './starts.ts';

const count = 1_000;
/** What the reference took on a comparable machine, and our target factor. */
const referenceMs = 37_000;
const madeTargetMs = referenceMs / 8;

const features = '/api/admin/projects/default/features';
const environment = 'environments/development';

const variants = [
  { name: 'blue', weight: 500, weightType: 'variable', stickiness: 'default' },
  {
    name: 'green',
    weight: 500,
    weightType: 'variable',
    stickiness: 'default',
    payload: { type: 'string', value: 'forest' },
  },
];

const strategiesOf = (name: string) => [
  {
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'default', groupId: name },
    constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2', '3'] }],
  },
  { name: 'userWithId', parameters: { userIds: 'ada,grace' } },
];

const namesOf = (prefix: string) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`);

/** Sends one request, and fails unless the response has this status. */
type Ask = (method: 'POST' | 'PUT', path: string, body: object, status: number) => Promise<void>;

/** Creates a feature with everything in one request. */
const inOne = (ask: Ask, name: string) =>
  ask(
    'POST',
    features,
    {
      name,
      tags: [{ type: 'simple', value: 'bench' }],
      environments: [
        {
          name: 'development',
          strategies: strategiesOf(name).map((strategy) => ({ ...strategy, variants })),
        },
      ],
    },
    201,
  );

/** Creates the same feature in three requests: the tag with the feature, the variants with the strategies. */
async function inThree(ask: Ask, name: string): Promise<void> {
  const tags = [{ type: 'simple', value: 'bench' }];
  await ask('POST', features, { name, tags }, 201);
  for (const strategy of strategiesOf(name)) {
    const body = { ...strategy, variants };
    await ask('POST', `${features}/${name}/${environment}/strategies`, body, 200);
  }
}

/** Creates the same feature in five requests, one for each part. */
async function inFive(ask: Ask, name: string): Promise<void> {
  await ask('POST', features, { name }, 201);
  for (const strategy of strategiesOf(name)) {
    await ask('POST', `${features}/${name}/${environment}/strategies`, strategy, 200);
  }
  await ask('PUT', `${features}/${name}/${environment}/variants`, variants, 200);
  const tag = { type: 'simple', value: 'bench' };
  await ask('POST', `/api/admin/features/${name}/tags`, tag, 201);
}

interface Making {
  readonly name: string;
  readonly prefix: string;
  readonly requests: number;
  readonly make: (ask: Ask, name: string) => Promise<void>;
}

async function makeAll(service: Service, { prefix, requests, make }: Making): Promise<Figure> {
  const headers = { authorization: service.token, 'content-type': 'application/json' };
  const rest = namesOf(prefix);
  const began = performance.now();
  await onLines(service.url, async (shoot) => {
    const ask: Ask = (method, path, body, status) =>
      shoot({ url: `${service.url}${path}`, headers, method, body: JSON.stringify(body), status });
    for (let name = rest.pop(); name !== undefined; name = rest.pop()) await make(ask, name);
  });
  const ms = performance.now() - began;
  return { maxMs: ms, perSecond: (count * requests * 1000) / ms };
}

async function making(service: Service, way: Making, reference?: Service): Promise<Result> {
  const ours = await makeAll(service, way);
  return {
    name: way.name,
    target: `< ${(madeTargetMs / 1000).toFixed(2)} s`,
    met: (ours.maxMs ?? Number.POSITIVE_INFINITY) < madeTargetMs,
    ours: { ...ours, note: `${(referenceMs / (ours.maxMs ?? 1)).toFixed(1)} × 37 s` },
    ...(reference && { reference: await makeAll(reference, way) }),
  };
}

/** Imports the same features as one document, in one request. */
async function importing(service: Service): Promise<Result> {
  await send(service, 'POST', '/api/admin/projects', { id: 'imported', name: 'Imported' });
  const names = namesOf('imported');
  const data = {
    features: names.map((name) => ({ name, type: 'release' })),
    featureStrategies: names.flatMap((featureName) =>
      strategiesOf(featureName).map((strategy) => ({ ...strategy, featureName, variants })),
    ),
    featureEnvironments: names.map((featureName) => ({ featureName, enabled: false })),
    featureTags: names.map((featureName) => ({
      featureName,
      tagType: 'simple',
      tagValue: 'bench',
    })),
    contextFields: [],
    segments: [],
    tagTypes: [],
    dependencies: [],
  };
  const body = { project: 'imported', environment: 'development', data };
  const { ms } = await send(service, 'POST', '/api/admin/features-batch/import', body);
  return {
    name: 'features: create 1,000 in one import',
    target: `< ${(madeTargetMs / 1000).toFixed(2)} s`,
    met: ms < madeTargetMs,
    ours: { maxMs: ms, note: `${(referenceMs / ms).toFixed(1)} × 37 s` },
  };
}

async function repeated(times: number, once: (nth: number) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let nth = 0; nth < times; nth += 1) all.push(await once(nth));
  return all;
}

async function cloning(service: Service): Promise<Result> {
  const times = await repeated(300, async (nth) => {
    const body = { name: `clone-${nth}` };
    return (await send(service, 'POST', `${features}/made-0001/clone`, body)).ms;
  });
  const ours = figureOf(times);
  return { name: 'clone: one feature', target: 'p50 ≤ 10 ms', met: ours.p50Ms <= 10, ours };
}

async function cloningLists(service: Service): Promise<Result> {
  const originals = namesOf('made').slice(0, 500);
  const times = await repeated(5, async (nth) => {
    const list = originals.map((feature) => ({ feature, name: `list-${nth}-${feature}` }));
    return (await send(service, 'POST', `${features}/clone`, { features: list })).ms;
  });
  const ours = figureOf(times);
  return { name: 'clone: 500 features', target: 'max < 2 s', met: ours.maxMs < 2_000, ours };
}

/** Measures a project with a thousand features, before the other rows add more. */
async function listing(service: Service): Promise<Result> {
  const times = await repeated(200, async () => {
    const { text, ms } = await send(service, 'GET', features);
    const { length } = (JSON.parse(text) as { features: unknown[] }).features;
    if (length !== count) throw new Error(`the list has ${length} features, not ${count}`);
    return ms;
  });
  const ours = figureOf(times);
  return { name: 'features: list of 1,000', target: 'p50 ≤ 30 ms', met: ours.p50Ms <= 30, ours };
}

/** Measures a page of the list in the UI, with and without compression. */
async function compressing({ url, token }: Service): Promise<Result> {
  const page = (coding: string): Shot => ({
    url: `${url}/api/admin/search/features?limit=100`,
    headers: { authorization: token, 'accept-encoding': coding },
    status: 200,
  });
  const raw = await shotsPerSecond(page('identity'), 5);
  const ours = await shotsPerSecond(page('gzip'), 5);
  return {
    name: 'features: page of 100, gzip',
    target: '≥ 0.7 × plain',
    met: ours.perSecond >= 0.7 * raw.perSecond,
    ours,
    raw,
  };
}

/** Runs on a new server, because these rows measure creation and not search. */
export async function measureFeatures(reference?: Service): Promise<Result[]> {
  const folder = temporaryFolder();
  try {
    const server = await startBurgee(folder);
    const service = { url: server.url, token: adminToken };
    try {
      const one = { name: 'features: create 1,000, 1 request each', prefix: 'whole', requests: 1 };
      const three = {
        name: 'features: create 1,000, 3 requests each',
        prefix: 'made',
        requests: 3,
      };
      const five = { name: 'features: create 1,000, 5 requests each', prefix: 'more', requests: 5 };
      const made = await making(service, { ...three, make: inThree }, reference);
      const listed = await listing(service);
      const compressed = await compressing(service);
      const cloned = await cloning(service);
      const lists = await cloningLists(service);
      const whole = await making(service, { ...one, make: inOne });
      await makeAll(service, { ...one, prefix: 'second', make: inOne });
      const warm = { ...one, name: `${one.name}, after 2,000 others`, prefix: 'third' };
      const third = await making(service, { ...warm, make: inOne });
      const more = await making(service, { ...five, make: inFive }, reference);
      const imported = await importing(service);
      return [whole, third, made, more, imported, listed, compressed, cloned, lists];
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
