import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import { fillProject } from '../many-features.ts';
import { type Fresh, onFreshBurgee } from '../on-burgee.ts';
import { adminToken, freePort, type RunningServer, startBurgee } from '../process.ts';
import { send } from '../send.ts';
import { newToken } from '../tokens.ts';

const project = 'balanced';
const features = 100;
const name = `${project}-feature-00001`;
const feature = `/api/admin/projects/${project}/features/${name}`;
const changes = 20;
const visibleMs = 100;
/** Clients that request features without a pause, and those that report usage. */
const readers = 4;
const reporters = 4;
const beforeKillMs = 5_000;
const afterKillMs = 10_000;

const nginx = ['/usr/sbin/nginx', 'nginx'].find(
  (program) => spawnSync(program, ['-v'], { stdio: 'ignore' }).status === 0,
);

/** nginx with the configuration that we ship, in front of these instances. */
async function startNginx(instances: readonly RunningServer[]) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'burgee-bench-nginx-'));
  const shipped = readFileSync(new URL('../../deploy/nginx/burgee.conf', import.meta.url), 'utf8');
  const servers = instances.map(({ url }) => new URL(url).host);
  const adapted = shipped
    .replace('127.0.0.1:4242', servers[0] as string)
    .replace(/127\.0\.0\.1:4243([^;]*);/, (_, rest: string) =>
      servers
        .slice(1)
        .map((server, index) => `${index === 0 ? '' : 'server '}${server}${rest};`)
        .join('\n'),
    )
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
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
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await sleep(20);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  return { url, stop };
}

const isEnabledAt = async (url: string, token: string): Promise<boolean> => {
  const answer = await fetch(`${url}/api/client/features/${name}`, {
    headers: { authorization: token },
  });
  return ((await answer.json()) as { enabled: boolean }).enabled;
};

/** Measures from the answer to a change until every instance serves it. */
async function visibility(instances: readonly RunningServer[], token: string): Promise<Result> {
  const times: number[] = [];
  for (let nth = 0; nth < changes; nth += 1) {
    const isEnabled = nth % 2 === 1;
    const { url } = instances[nth % instances.length] as RunningServer;
    await send(
      { url, token: adminToken },
      'POST',
      `${feature}/environments/development/${isEnabled ? 'on' : 'off'}`,
    );
    const began = performance.now();
    await Promise.all(
      instances.map(async (instance) => {
        while ((await isEnabledAt(instance.url, token)) !== isEnabled);
        times.push(performance.now() - began);
      }),
    );
  }
  const ours = figureOf(times);
  return {
    name: 'three instances: change visible on all',
    target: `max < ${visibleMs} ms`,
    met: ours.maxMs < visibleMs,
    ours: { ...ours, note: `max ${ours.maxMs.toFixed(0)} ms of ${times.length}` },
  };
}

/** Requests through nginx while an instance is killed. */
async function killed(
  { pool }: Fresh,
  instances: readonly RunningServer[],
  url: string,
  token: string,
): Promise<Result[]> {
  let running = true;
  let requests = 0;
  let failed = 0;
  let wrong = 0;
  let reported = 0;
  let repeated = 0;
  const headers = { authorization: token };
  const read = async () => {
    while (running) {
      const answer = await fetch(`${url}/api/client/features`, { headers }).catch(() => undefined);
      const body = (await answer?.json().catch(() => undefined)) as
        | { features?: unknown[] }
        | undefined;
      requests += 1;
      if (answer?.status !== 200) failed += 1;
      else if (body?.features?.length !== features) wrong += 1;
    }
  };
  /** Repeats a report with its id until it gets 202, as an edge does. */
  const report = async () => {
    while (running) {
      const body = JSON.stringify({
        batchId: randomUUID(),
        metrics: [{ featureName: name, appName: 'bench', yes: 1, no: 0 }],
      });
      for (;;) {
        const answer = await fetch(`${url}/api/client/metrics/bulk`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        }).catch(() => undefined);
        await answer?.arrayBuffer().catch(() => undefined);
        if (answer?.status === 202) break;
        repeated += 1;
        await sleep(100);
      }
      reported += 1;
    }
  };
  const work = [
    ...Array.from({ length: readers }, read),
    ...Array.from({ length: reporters }, report),
  ];
  await sleep(beforeKillMs);
  await (instances[2] as RunningServer).kill();
  await sleep(afterKillMs);
  running = false;
  await Promise.all(work);
  const { rows } = await pool.query<{ counted: number }>(
    'select coalesce(sum(yes), 0)::float8 as counted from usage_hours where feature_name = $1',
    [name],
  );
  const counted = rows[0]?.counted ?? Number.NaN;
  return [
    {
      name: 'three instances: one killed, features',
      target: 'no failed or wrong response',
      met: failed + wrong === 0,
      ours: { note: `${requests} requests, ${failed} failed, ${wrong} wrong` },
    },
    {
      name: 'three instances: one killed, usage',
      target: 'counted exactly once',
      met: counted === reported,
      ours: { note: `${reported} reports, ${counted} counted, ${repeated} repeated` },
    },
  ];
}

/** Three instances behind nginx on one PostgreSQL: what each sees, and the death of one under load. */
export const measureThreeInstances = (): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    if (nginx === undefined) throw new Error('nginx is not installed');
    const { service, pool, shared } = fresh;
    await fillProject(pool, { project, features, eventsPerFeature: 1 });
    await send(service, 'POST', `${feature}/environments/development/on`);
    const token = await newToken(service, 'client', [project]);
    const instances: RunningServer[] = [];
    try {
      for (let nth = 0; nth < 3; nth += 1) {
        const settings = { ...shared, DATABASE_POOL_MAX: '4', TRUSTED_PROXIES: '127.0.0.1' };
        instances.push(await startBurgee('', settings));
      }
      const proxy = await startNginx(instances);
      try {
        const seen = await visibility(instances, token);
        return [seen, ...(await killed(fresh, instances, proxy.url, token))];
      } finally {
        await proxy.stop();
      }
    } finally {
      for (const instance of instances) await instance.stop();
    }
  });
