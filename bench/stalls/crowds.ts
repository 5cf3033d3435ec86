import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Fresh } from '../on-burgee.ts';
import { residentMb } from '../process.ts';
import { send } from '../send.ts';
import { newToken } from '../tokens.ts';
import { startBystander } from './bystander.ts';
import type { Names } from './cases.ts';
import { type Callers, storeTheWorst } from './stored.ts';

/** What one client may do to others, on two cores. */
export const maxCrowdWaitMs = 500;
export const maxCrowdMb = 150;

/** Many connections of one client that all send the same. */
export interface Crowd {
  readonly what: string;
  readonly connections: number;
  /** What each connection sends. `{nth}` is replaced by the number of the connection, with as many digits. */
  readonly text: string;
  /** How many of the last bytes are sent by all at once, when the others have arrived. */
  readonly lastBytes: number;
  readonly readsResponses: boolean;
  readonly seconds: number;
}

export interface CrowdResult {
  readonly what: string;
  /** The longest wait of anyone else, and of whom. */
  readonly waitMs: number;
  readonly who: string;
  readonly grownMb: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly failed: Readonly<Record<string, number>>;
}

interface Sent {
  readonly token?: string;
  readonly body?: string;
  readonly closes?: boolean;
  readonly accept?: string;
}

const requestOf = (target: string, { token, body, closes, accept }: Sent = {}) => {
  const [method, path] = target.split(' ');
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    ...(token === undefined ? [] : [`authorization: ${token}`]),
    ...(body === undefined
      ? []
      : ['content-type: application/json', `content-length: ${body.length}`]),
    ...(accept === undefined ? [] : [`accept: ${accept}`]),
    ...(closes ? ['connection: close'] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
};

/** The slowest JSON of a size to parse: small objects of which each has other keys. */
function slowJson(bytes: number): string {
  const objects: string[] = [];
  let key = 0;
  for (let length = 40; length < bytes; ) {
    const pairs = Array.from({ length: 20 }, () => {
      key += 1;
      return `"${key.toString(36)}":0`;
    });
    const object = `{${pairs.join(',')}}`;
    if (length + object.length + 1 > bytes) break;
    objects.push(object);
    length += object.length + 1;
  }
  const lists: string[] = [];
  for (let from = 0; from < objects.length; from += 5_000) {
    lists.push(`[${objects.slice(from, from + 5_000).join(',')}]`);
  }
  return `{"x":[${lists.join(',')}]}`;
}

const common = { connections: 100, lastBytes: 0, readsResponses: true, seconds: 6 };

/** Sends the same requests one after the other, without waiting and without reading. */
const unread = (target: string, sent?: Sent): Crowd => ({
  ...{ ...common, what: `${target}, pipelined and not read`, readsResponses: false },
  text: requestOf(target, sent).repeat(Math.ceil(60_000 / requestOf(target, sent).length)),
});

const pipelined = (target: string, times: number, sent?: Sent): Crowd => ({
  ...{ ...common, what: `${target}, ${times} times on each connection` },
  text: requestOf(target, sent).repeat(times),
});

const once100 = (target: string, by: string, sent: Sent): Crowd => ({
  ...{ ...common, what: `${target} (${by})`, lastBytes: 2, seconds: 20 },
  text: requestOf(target, { ...sent, closes: true }),
});

const burst = (target: string, by: string, sent: Sent): Crowd => ({
  ...{
    ...common,
    what: `${target}, ${sent.body?.length} bytes (${by})`,
    lastBytes: 1,
    seconds: 20,
  },
  text: requestOf(target, { ...sent, closes: true }),
});

/** Returns what anyone, and what someone with one account, can send over a hundred connections. */
function crowdsOf(names: Names, callers: Callers): Crowd[] {
  const { project = '', environment = '', feature = '' } = names;
  const { viewer, editor, frontend, client } = callers;
  const own = `/api/admin/projects/${project}`;
  const json = JSON.stringify;
  const slow = slowJson(1024 * 1024 - 200);
  const userId = 'ab'.repeat(400);
  const shortest = `GET / HTTP/1.1\r\n\r\n`;
  return [
    { ...common, what: 'nothing, for comparison', connections: 1, text: '' },
    {
      ...unread('GET /docs/openapi.json'),
      connections: 1,
      what: 'GET /docs/openapi.json, pipelined and not read, 1 connection',
    },
    unread('GET /docs/openapi.json'),
    unread('GET /docs/openapi/static/swagger-ui-bundle.js'),
    unread('GET /avatars/7.svg'),
    unread('GET /'),
    unread('GET /nothing'),
    unread('OPTIONS /api/frontend'),
    {
      ...common,
      what: 'the shortest requests, pipelined',
      text: shortest.repeat(3_600),
      seconds: 4,
    },
    pipelined('GET /health', 500),
    pipelined('GET /api/admin/projects', 50, { token: 'unknown-{nth}' }),
    pipelined('GET /api/client/features', 50, { token: '*:development.unknown-{nth}' }),
    pipelined('POST /auth/reset/password-email', 20, {
      body: json({ email: 'nobody@example.com' }),
    }),
    pipelined('POST /auth/reset/validate-password', 50, {
      body: json({ password: 'a-password-123' }),
    }),
    pipelined('POST /auth/simple/login', 3, {
      body: json({ username: 'nobody', password: 'nothing-1' }),
    }),
    burst('POST /auth/simple/login', 'anybody', { body: slow }),
    burst('POST /edge/validate', 'anybody', {
      body: json({ tokens: Array(1_000).fill('*:development.not-a-token') }),
    }),
    burst('POST /api/frontend', 'frontend', { token: frontend, body: slowJson(64 * 1024 - 100) }),
    burst('POST /api/frontend/client/metrics', 'frontend', {
      token: frontend,
      body: slowJson(128 * 1024 - 100),
    }),
    burst('POST /api/client/metrics/bulk', 'client', { token: client, body: slow }),
    burst(`POST ${own}/features`, 'editor', { token: editor, body: slow }),
    burst('POST /api/admin/playground', 'viewer', { token: viewer, body: slow }),
    unread('GET /api/client/features', { token: client }),
    unread('GET /api/frontend', { token: frontend }),
    unread(`GET ${own}/features`, { token: viewer }),
    once100('GET /api/client/features', 'client', { token: client }),
    once100('GET /api/client/delta', 'client', { token: client }),
    once100('GET /api/frontend?userId={nth}', 'frontend', { token: frontend }),
    once100('POST /ofrep/v1/evaluate/flags', 'frontend', {
      token: frontend,
      body: json({ context: { userId } }),
    }),
    once100(`GET ${own}/features`, 'viewer', { token: viewer }),
    once100(`GET /api/admin/search/features?limit=1000`, 'viewer', { token: viewer }),
    once100(`GET ${own}`, 'viewer', { token: viewer }),
    once100(`GET ${own}/overview`, 'viewer', { token: viewer }),
    once100(`GET ${own}/health-report`, 'viewer', { token: viewer }),
    once100(`GET ${own}/features/${feature}`, 'viewer', { token: viewer }),
    once100('GET /api/admin/segments', 'viewer', { token: viewer }),
    once100('GET /api/admin/search/events?limit=1000&query=e{nth}', 'viewer', { token: viewer }),
    once100('GET /api/admin/events', 'viewer', { token: viewer }),
    ...['application/x-ndjson', 'text/csv'].map((accept) =>
      once100('GET /api/admin/search/events?limit=5000', `viewer, ${accept}`, {
        ...{ token: viewer, accept },
      }),
    ),
    once100('GET /api/admin/archive/features', 'viewer', { token: viewer }),
    once100('GET /api/admin/user/access', 'viewer', { token: viewer }),
    once100(`GET ${own}/access`, 'editor', { token: editor }),
    once100('POST /api/admin/playground', 'viewer', {
      token: viewer,
      body: json({ environment, projects: '*', context: { userId } }),
    }),
    once100('POST /api/admin/features-batch/export', 'editor', {
      token: editor,
      body: json({ environment, project }),
    }),
    once100('POST /api/admin/projects/default/features', 'editor', {
      token: editor,
      body: json({ name: 'new-{nth}' }),
    }),
  ];
}

/** Lets one crowd act, and measures what others notice. */
async function tryCrowd(
  crowd: Crowd,
  {
    port,
    pid,
    bystander,
  }: { port: number; pid: number; bystander: ReturnType<typeof startBystander> },
): Promise<CrowdResult> {
  const file = fileURLToPath(new URL('./crowd-process.ts', import.meta.url));
  const child = fork(file, [], { execArgv: ['--import', 'tsx'] });
  child.send({ ...crowd, port });
  await once(child, 'message');
  await bystander.longestWaits();
  const beforeMb = residentMb(pid) ?? 0;
  let mostMb = beforeMb;
  const sampling = setInterval(() => {
    mostMb = Math.max(mostMb, residentMb(pid) ?? 0);
  }, 50);
  child.send('go');
  const [statuses] = (await once(child, 'message')) as [Record<string, number>];
  await once(child, 'exit');
  // What was begun is finished, also if the callers have left.
  await sleep(1_000);
  clearInterval(sampling);
  const { waits, failed } = await bystander.longestWaits();
  const [who = '', waitMs = 0] = Object.entries(waits).sort(([, a], [, b]) => b - a)[0] ?? [];
  return { what: crowd.what, who, waitMs, grownMb: mostMb - beforeMb, statuses, failed };
}

/** Tries up to three times, because a busy machine delays requests occasionally. What a crowd causes occurs every time. */
async function tryAgain(attempt: () => Promise<CrowdResult>): Promise<CrowdResult> {
  let best = await attempt();
  for (let again = 0; again < 2 && best.waitMs >= maxCrowdWaitMs; again += 1) {
    const next = await attempt();
    if (next.waitMs < best.waitMs)
      best = { ...next, grownMb: Math.max(best.grownMb, next.grownMb) };
  }
  return best;
}

const warmUpMs = 5_000;

interface Bounds {
  readonly features: number;
  readonly only?: RegExp | undefined;
  readonly say?: (line: string) => void;
}

/** Returns what each crowd did to others, the worst first. */
export async function findCrowding(fresh: Fresh, bounds: Bounds): Promise<CrowdResult[]> {
  const { service, pool, pid } = fresh;
  const { url } = service;
  const say = bounds.say ?? (() => undefined);
  const { names, callers } = await storeTheWorst(service, pool, bounds.features);
  const small = await newToken(service, 'client', ['default']);
  const admin = { token: service.token };
  await send(service, 'POST', '/api/admin/projects/default/features', { name: 'bystander' });
  const place = '/api/admin/projects/default/features/bystander';
  const bystander = startBystander([
    { name: 'health', method: 'GET', url: `${url}/health` },
    { name: 'read', method: 'GET', url: `${url}/api/admin/projects/default`, ...admin },
    { name: 'search', method: 'GET', url: `${url}/api/admin/search/events?limit=5`, ...admin },
    { name: 'change', method: 'POST', url: `${url}${place}/environments/development/on`, ...admin },
    { name: 'SDK', method: 'GET', url: `${url}/api/client/features`, token: small },
    { name: 'sign-in methods', method: 'GET', url: `${url}/auth/providers` },
  ]);
  const results: CrowdResult[] = [];
  const port = Number(new URL(url).port);
  try {
    // The first request for SDKs reads all features.
    await sleep(warmUpMs);
    for (const crowd of crowdsOf(names, callers)) {
      if (bounds.only && !bounds.only.test(crowd.what)) continue;
      const result = await tryAgain(() => tryCrowd(crowd, { port, pid, bystander }));
      results.push(result);
      const { what, who, waitMs, grownMb, statuses, failed } = result;
      say(
        `${Math.round(waitMs)} ms (${who}), +${Math.round(grownMb)} MB: ${what} ${JSON.stringify(statuses)} ${JSON.stringify(failed)}`,
      );
    }
  } finally {
    bystander.stop();
  }
  return results.sort((a, b) => b.waitMs - a.waitMs);
}
