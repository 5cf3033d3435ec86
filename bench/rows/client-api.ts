import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { entityTag, type Shot, shotsPerSecond } from '../cannon.ts';
import type { Result } from '../experiment.ts';
import type { Service } from '../load.ts';
import { fillProject } from '../many-features.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { newToken } from '../tokens.ts';

/** What the reference reached with 1,000 features on a comparable machine, times our target factor. */
const featuresTarget = 15 * 143;
const frontendTarget = 5 * 655;
const newUsersTarget = 3_000;
const metricsTarget = 2_000;
/** Both are measured alternately, so that fluctuations of the machine affect them equally. */
const rounds = 3;

/** The request of the Node.js SDK. */
const featuresShot = (url: string, token: string, more: Record<string, string> = {}): Shot => ({
  url: `${url}/api/client/features`,
  headers: {
    authorization: token,
    'accept-encoding': 'gzip',
    'unleash-appname': 'bench',
    'unleash-client-spec': '5.1.9',
    ...more,
  },
  status: 200,
});

/** With the user `[<id>]`, each request has another user. */
const frontendShot = (url: string, token: string, userId: string): Shot => ({
  url: `${url}/api/frontend?appName=bench&userId=${userId}&sessionId=42&properties[plan]=gold`,
  headers: { authorization: token },
  status: 200,
});

function metricsShot(url: string, token: string): Shot {
  const names = Array.from({ length: 20 }, (_, nth) => `default-feature-000${10 + nth}`);
  const toggles = names.map((name) => [name, { yes: 3, no: 1, variants: { blue: 2 } }]);
  const now = Date.now();
  const bucket = {
    start: new Date(now - 60_000).toISOString(),
    stop: new Date(now).toISOString(),
    toggles: Object.fromEntries(toggles),
  };
  return {
    url: `${url}/api/client/metrics`,
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'bench', instanceId: 'bench-1', bucket }),
    status: 202,
  };
}

interface Row {
  readonly name: string;
  readonly shot: Shot;
  readonly reference?: Shot | undefined;
  readonly target: number;
}

async function rate({ name, shot, reference, target }: Row, seconds: number): Promise<Result> {
  const ours = await shotsPerSecond(shot, seconds);
  return {
    name,
    target: `≥ ${target}/s`,
    met: ours.perSecond >= target,
    ours,
    ...(reference && { reference: await shotsPerSecond(reference, seconds) }),
  };
}

/** Measures a 304, beside a bare Fastify route that only answers 304. */
async function notModified(shot: Shot, seconds: number): Promise<Result> {
  const child = fork(fileURLToPath(new URL('../bare-process.ts', import.meta.url)));
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    const bare: Shot = { url, headers: shot.headers, status: 304 };
    const known = {
      ...shot,
      status: 304,
      headers: { ...shot.headers, 'if-none-match': await entityTag(shot) },
    };
    const pairs: Awaited<ReturnType<typeof shotsPerSecond>>[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const warmUp = round === 0 ? undefined : 0;
      const raw = await shotsPerSecond(bare, seconds / rounds, warmUp);
      pairs.push([await shotsPerSecond(known, seconds / rounds, warmUp), raw]);
    }
    pairs.sort(([a, b], [c, d]) => ratioOf(a, b) - ratioOf(c, d));
    const [ours, raw] = pairs[Math.floor(rounds / 2)] as (typeof pairs)[number];
    return {
      name: 'client features: 304',
      target: '≥ 0.4 × bare Fastify',
      met: ratioOf(ours, raw) >= 0.4,
      ours: ours ?? {},
      ...(raw && { raw }),
    };
  } finally {
    child.disconnect();
  }
}

const ratioOf = (
  ours: { readonly perSecond: number } | undefined,
  raw: { readonly perSecond: number } | undefined,
): number => (ours?.perSecond ?? 0) / (raw?.perSecond ?? 1);

interface Shots {
  readonly features: Shot;
  readonly frontend: Shot;
  readonly frontendAgain: Shot;
}

async function shotsAt(service: Service): Promise<Shots> {
  const { url } = service;
  const token = await newToken(service, 'frontend', ['*']);
  return {
    features: featuresShot(url, await newToken(service, 'client', ['*'])),
    frontend: frontendShot(url, token, '[<id>]'),
    frontendAgain: frontendShot(url, token, '7'),
  };
}

/** Measures the reference as it is: it should have as many features. */
export const measureClientApi = (
  seconds: number,
  reference?: Service,
): Promise<readonly Result[]> =>
  onFreshBurgee(async ({ service, pool }) => {
    await fillProject(pool, { project: 'default', features: 1_000, eventsPerFeature: 1 });
    const own = await newToken(service, 'client', ['default']);
    const { frontend, frontendAgain } = await shotsAt(service);
    const theirs = reference && (await shotsAt(reference));
    const features = featuresShot(service.url, own);
    const plain = featuresShot(service.url, own, { 'accept-encoding': 'identity' });
    const rows: Row[] = [
      {
        name: 'client features: 1,000, gzip',
        shot: features,
        reference: theirs?.features,
        target: featuresTarget,
      },
      { name: 'client features: 1,000, plain', shot: plain, target: featuresTarget },
      {
        name: 'frontend: 1,000 features, new users',
        shot: frontend,
        reference: theirs?.frontend,
        target: newUsersTarget,
      },
      {
        name: 'frontend: 1,000 features, same user',
        shot: frontendAgain,
        reference: theirs?.frontendAgain,
        target: frontendTarget,
      },
      { name: 'metrics: posts', shot: metricsShot(service.url, own), target: metricsTarget },
    ];
    const results: Result[] = [];
    for (const row of rows) results.push(await rate(row, seconds));
    results.push(await notModified(features, seconds));
    return results;
  });
