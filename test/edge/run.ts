import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fill } from '../import/fill.ts';
import { adminToken, startUnleash } from '../import/unleash.ts';
import { compareDecisions, type Place, startBackend, until } from './decisions.ts';

/**
 * Edges behind a real Unleash: installs, starts, and fills it, and follows it with an edge and an edge behind that. Real
 * SDKs must decide the same at all three.
 */
const version = process.env.UNLEASH_VERSION ?? '6.6';
const folder = process.env.UNLEASH_FOLDER ?? join(tmpdir(), `unleash-${version}`);
const port = Number(process.env.UNLEASH_PORT ?? 4394);
const contexts = Number(process.env.CONTEXTS ?? 2_000);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const data = mkdtempSync(join(tmpdir(), 'burgee-edges-'));
const unleash = await startUnleash(folder, version, port);
const edges: ChildProcess[] = [];

function expectThat(isTrue: boolean, what: string): void {
  process.stdout.write(`${isTrue ? 'ok' : 'FAILED'}: ${what}\n`);
  if (!isTrue) process.exitCode = 1;
}

async function ask(
  url: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: never }> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, body: (isJson ? JSON.parse(text) : undefined) as never };
}

const admin = async (method: string, path: string, body?: object): Promise<never> => {
  const answer = await ask(unleash.url, adminToken, method, `/api/admin${path}`, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status}`);
  return answer.body;
};

async function startEdge(name: string, upstream: string, at: number, more: object): Promise<Place> {
  const edge = spawn(process.execPath, ['--import', 'tsx', 'src/cli/index.ts', 'edge'], {
    stdio: ['ignore', process.env.EDGE_DEBUG ? 'inherit' : 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      UPSTREAM_URL: upstream,
      PORT: String(at),
      BACKUP_FOLDER: join(data, name),
      FEATURES_REFRESH_INTERVAL_SECONDS: '1',
      METRICS_INTERVAL_SECONDS: '1',
      TOKEN_REVALIDATION_INTERVAL_SECONDS: '1',
      ...more,
    },
  });
  edges.push(edge);
  const url = `http://127.0.0.1:${at}`;
  await until(
    () =>
      fetch(`${url}/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    `the edge ${name}`,
  );
  return { name, url, hasOfrep: true };
}

async function createToken(type: string, projects: readonly string[]): Promise<string> {
  const tokenName = `edge-${type}-${projects.join()}-${Math.random()}`;
  const sent = { tokenName, type, environment: 'development', projects };
  return ((await admin('POST', '/api-tokens', sent)) as { secret: string }).secret;
}

interface Client {
  readonly features: { name: string }[];
}

/** What SDKs receive, in an order that does not matter to them. */
async function featuresAt(url: string, token: string): Promise<string> {
  const { status, body } = await ask(url, token, 'GET', '/api/client/features');
  if (status !== 200) return String(status);
  const byName = (body as Client).features.sort((a, b) => (a.name < b.name ? -1 : 1));
  return JSON.stringify(byName.map(({ name }) => name));
}

try {
  await fill(unleash.url, adminToken);
  const [backend, frontend, single] = [
    await createToken('client', ['*']),
    await createToken('frontend', ['*']),
    await createToken('client', ['default']),
  ];
  // The nearer edge learns its tokens from clients, the other one is told.
  const near = await startEdge('near', unleash.url, port + 1, { DYNAMIC: 'true' });
  expectThat((await featuresAt(near.url, backend)) !== '503', 'a new token waits for its features');
  const far = await startEdge('far', near.url, port + 2, { TOKENS: [backend, frontend].join() });
  const server: Place = { name: `Unleash ${version}`, url: unleash.url, hasOfrep: false };

  const expected = await featuresAt(server.url, backend);
  for (const { name, url } of [near, far])
    expectThat(
      (await featuresAt(url, backend)) === expected,
      `${name}: the features of the server`,
    );
  expectThat(
    (await featuresAt(near.url, single)) === (await featuresAt(server.url, single)),
    'a token of one project gets its features',
  );

  const began = performance.now();
  const { differences, compared, features } = await compareDecisions(
    [server, near, far],
    { backend, frontend },
    { contexts, seed },
  );
  for (const each of differences.slice(0, 10)) process.stdout.write(`${JSON.stringify(each)}\n`);
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  expectThat(
    differences.length === 0 && compared > contexts,
    `${compared} decisions about ${features} features are the same (SEED=${seed}, ${seconds} s)`,
  );

  const sdk = await startBackend(far.url, backend, 'behind-edges');
  const development = '/projects/default/features/plain-00/environments/development';
  const before = sdk.isEnabled('plain-00', { userId: 'one' });
  await admin('POST', `${development}/strategies`, { name: 'default', parameters: {} });
  await admin('POST', `${development}/${before ? 'off' : 'on'}`);
  const sentMs = performance.now();
  await until(() => sdk.isEnabled('plain-00', { userId: 'one' }) !== before, 'a change');
  expectThat(true, `a change reaches SDKs after ${Math.round(performance.now() - sentMs)} ms`);

  for (let times = 0; times < 7; times += 1) sdk.isEnabled('plain-04', { userId: 'one' });
  const counted = async () => {
    const { data: hours } = (await admin('GET', '/client-metrics/features/plain-04/raw')) as {
      data: { appName: string; yes: number; no: number }[];
    };
    const own = hours.filter(({ appName }) => appName === 'behind-edges');
    return own.reduce((sum, { yes, no }) => sum + yes + no, 0);
  };
  await until(async () => (await counted()) >= 7, 'usage');
  await sleep(3_000);
  expectThat((await counted()) === 7, `${await counted()} of 7 evaluations are counted`);
  await until(async () => {
    const { status } = await ask(
      unleash.url,
      adminToken,
      'GET',
      '/api/admin/metrics/applications/behind-edges',
    );
    return status === 200;
  }, 'the registration');
  expectThat(true, 'the application is registered');
  sdk.destroy();

  const validated = await ask(near.url, '', 'POST', '/edge/validate', {
    tokens: [backend, frontend, '*:development.invented', adminToken],
  });
  const valid = (validated.body as { tokens: { token: string }[] }).tokens;
  expectThat(
    valid
      .map(({ token }) => token)
      .sort()
      .join() === [backend, frontend].sort().join(),
    'only tokens of SDKs are valid at an edge',
  );
  const statusOf = async (url: string, token: string) =>
    (await ask(url, token, 'GET', '/api/client/features')).status;
  expectThat((await statusOf(near.url, adminToken)) === 403, 'an admin token is refused with 403');
  expectThat((await statusOf(near.url, '*:development.wrong')) === 401, 'a wrong token gets 401');
  expectThat((await statusOf(near.url, frontend)) === 403, 'a frontend token is no backend token');

  await admin('DELETE', `/api-tokens/${encodeURIComponent(backend)}`);
  const isRevoked = async () => {
    const { body } = await ask(unleash.url, '', 'POST', '/edge/validate', { tokens: [backend] });
    return (body as { tokens: object[] }).tokens.length === 0;
  };
  if (
    await until(isRevoked, 'the revocation at Unleash').then(
      () => true,
      () => false,
    )
  ) {
    for (const { name, url } of [near, far]) {
      await until(async () => (await statusOf(url, backend)) === 401, `the revocation at ${name}`);
      expectThat(true, `${name}: a revoked token is refused`);
    }
  } else {
    process.stdout.write('skipped: this Unleash still validates a token after its deletion\n');
  }
  expectThat((await statusOf(near.url, single)) === 200, 'the other tokens are still served');
} finally {
  for (const edge of edges) {
    if (edge.exitCode !== null) continue;
    edge.kill();
    await once(edge, 'exit');
  }
  await unleash.stop();
  rmSync(data, { recursive: true, force: true });
}
