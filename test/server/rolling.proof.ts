import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { testApp } from '../support/app.ts';
import { testDatabase } from '../support/database.ts';
import { urlOf } from '../support/database-url.ts';
import { freePort } from '../support/free-port.ts';
import { countedFeature, startSdkLoad, startStreamingSdk } from '../support/sdk-load.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const tokens = { client: '*:development.rolling-client', frontend: '*:development.rolling-front' };
const patiently = { timeout: 120_000, interval: 50 };
const streamingSdks = 6;

/** Two instances on one database, each with a fixed port that a restart keeps. */
async function startCluster() {
  const { connection, db, name } = await testDatabase();
  const elsewhere = (await testApp()).db;
  const ports = [String(await freePort()), String(await freePort())] as const;
  const start = (PORT: string) =>
    startServer({
      PORT,
      HOST: '127.0.0.1',
      DATABASE_URL: urlOf(connection),
      DATABASE_POOL_MAX: '5',
      TRUSTED_PROXIES: '127.0.0.1',
      ENCRYPTION_KEY: Buffer.alloc(32, 5).toString('base64'),
      INIT_CLIENT_API_TOKENS: tokens.client,
      INIT_FRONTEND_API_TOKENS: tokens.frontend,
      SHUTDOWN_DELAY_SECONDS: '10',
    });
  const instances = [await start(ports[0]), await start(ports[1])];
  const run = (statement: string) => sql.raw(statement).execute(elsewhere);
  return {
    ports,
    db,
    instances,
    instance: (index: number) => instances[index] as ServerProcess,
    restart: async (index: number) => {
      instances[index] = await start(ports[index] as string);
    },
    async beginOutage() {
      // In this order: a connection opened between the two would survive.
      await run(`alter database "${name}" allow_connections false`);
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    },
    endOutage: () => run(`alter database "${name}" allow_connections true`),
  };
}

type RunningCluster = Awaited<ReturnType<typeof startCluster>>;

const nginx = ['/usr/sbin/nginx', 'nginx'].find(
  (program) => spawnSync(program, ['-v'], { stdio: 'ignore' }).status === 0,
);

/** nginx with the configuration that we ship, for these instances. */
async function startNginx([first, second]: readonly [string, string]): Promise<string> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'burgee-nginx-'));
  const shipped = readFileSync(new URL('../../deploy/nginx/burgee.conf', import.meta.url), 'utf8');
  const adapted = shipped
    .replace('127.0.0.1:4242', `127.0.0.1:${first}`)
    .replace('127.0.0.1:4243', `127.0.0.1:${second}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(join(folder, 'burgee.conf'), adapted);
  writeFileSync(
    join(folder, 'nginx.conf'),
    [
      'daemon off;',
      process.getuid?.() === 0 ? 'user root;' : '',
      `pid ${folder}/nginx.pid;`,
      `error_log ${folder}/error.log;`,
      'events { worker_connections 1024; }',
      `http { access_log off; ${temporary.join(' ')} include ${folder}/burgee.conf; }`,
    ].join('\n'),
  );
  const child = spawn(nginx as string, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: 'inherit',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  const origin = `http://127.0.0.1:${port}`;
  await expect.poll(() => isAlive(origin), patiently).toBe(true);
  return origin;
}

const isAlive = (origin: string) =>
  fetch(`${origin}/health`).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Forwards connections to ready instances in turn and never retries, like a Kubernetes Service with `/ready` as its
 * probe. Open connections stay where they are.
 */
async function startService(ports: readonly string[]): Promise<string> {
  const ready = new Set(ports);
  let probing = true;
  const probe = async (port: string) => {
    while (probing) {
      const status = await fetch(`http://127.0.0.1:${port}/ready`).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) ready.add(port);
      else ready.delete(port);
      await pause(250);
    }
  };
  const probes = ports.map(probe);
  let turn = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const choices = [...ready];
    turn += 1;
    const instance = connect(Number(choices[turn % choices.length] ?? 1), '127.0.0.1');
    for (const [one, other] of [
      [client, instance],
      [instance, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
    }
  }).listen(0, '127.0.0.1');
  await new Promise((listening) => proxy.once('listening', listening));
  onTestFinished(async () => {
    probing = false;
    proxy.close();
    for (const socket of sockets) socket.destroy();
    await Promise.all(probes);
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function proveNoFailure(cluster: RunningCluster, origin: string, title: string) {
  const { db, instance, restart } = cluster;
  let made = 0;
  const sdks = Array.from({ length: streamingSdks }, (_, number) =>
    startStreamingSdk(origin, tokens.client, number),
  );
  const create = (name: string, index: number) =>
    instance(index).ask('POST /api/admin/projects/default/features', { body: { name } });
  /** A change on one instance reaches every stream on all instances. */
  const expectTold = async (index: number) => {
    made += 1;
    const name = `change-${made}`;
    expect((await create(name, index)).status).toBe(201);
    await expect.poll(() => sdks.filter(({ knows }) => !knows(name)).length, patiently).toBe(0);
  };
  expect((await create(countedFeature, 0)).status).toBe(201);
  await expectTold(1);
  const load = startSdkLoad(origin, tokens);
  /** Waits for more requests of the load. */
  const moreRequests = async (more = 500) => {
    const before = load.count();
    await expect.poll(load.count, patiently).toBeGreaterThan(before + more);
  };
  await moreRequests();

  for (const index of [0, 1, 0, 1]) {
    const leaving = instance(index);
    const ended = leaving.end('SIGTERM');
    // While it stops, and after it has stopped.
    await expectTold(1 - index);
    expect(await ended, leaving.output()).toBe(0);
    await moreRequests();
    await expectTold(1 - index);
    await restart(index);
    await expectTold(index);
    await moreRequests();
  }

  await cluster.beginOutage();
  const databases = () =>
    Promise.all(
      [0, 1].map(async (index) => {
        const response = await instance(index).ask('GET /ready');
        return [response.status, ((await response.json()) as { database?: string }).database];
      }),
    );
  await expect.poll(databases, patiently).toEqual([
    [200, 'away'],
    [200, 'away'],
  ]);
  await moreRequests(2_000);
  expect(await databases()).toEqual([
    [200, 'away'],
    [200, 'away'],
  ]);
  await cluster.endOutage();
  await expect.poll(databases, patiently).toEqual([
    [200, 'reached'],
    [200, 'reached'],
  ]);
  await expectTold(0);
  await moreRequests();
  await load.end();

  expect(load.failures).toEqual([]);
  expect(sdks.flatMap(({ complaints }) => complaints)).toEqual([]);
  // Every accepted report is counted exactly once.
  const counted = async () => {
    const { rows } = await sql<{ yes: number }>`
      select coalesce(sum(yes), 0)::int as yes from usage_hours
      where feature_name = ${countedFeature}`.execute(db);
    return rows[0]?.yes;
  };
  await expect.poll(counted, patiently).toBe(load.countOf('metrics'));
  console.log(
    `${title}: ${load.count()} requests of SDKs, 0 failed; p50 ${load.quantileMs(0.5)} ms, p99 ${load.quantileMs(0.99)} ms, longest ${load.quantileMs(1)} ms`,
  );
}

test.skipIf(nginx === undefined)(
  'two instances behind nginx: no SDK request fails during four restarts and a database outage (skipped without nginx)',
  async () => {
    const cluster = await startCluster();
    await proveNoFailure(cluster, await startNginx(cluster.ports), 'behind nginx');
  },
);

test('two instances behind a proxy without retries, like a Kubernetes Service: no SDK request fails during four restarts and a database outage', async () => {
  const cluster = await startCluster();
  await proveNoFailure(cluster, await startService(cluster.ports), 'behind a Service');
});
