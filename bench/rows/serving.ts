import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { BareBody } from '../bare-process.ts';
import { type Shot, shotsPerSecond } from '../cannon.ts';
import type { Result } from '../experiment.ts';
import { fillProject } from '../many-features.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { cpuSeconds, residentMb } from '../process.ts';
import type { Serving } from '../serving.ts';
import { newToken } from '../tokens.ts';

/** What Unleash Edge publishes its figures for. */
const features = 350;
const project = 'served';
const hundred = 'hundred-kilobytes';
/** So many have about 100 kB for a backend SDK; the note has the number of bytes. */
const hundredFeatures = 210;

const frontendTarget = 3_000;
const featuresTarget = 2_000;
const frontendP95Ms = 15;
const bareFile = fileURLToPath(new URL('../bare-process.ts', import.meta.url));

/**
 * A strategy for most users: half of the features are enabled, and a rollout decides for everyone with the plan of the
 * requests. Without it new users would get nothing.
 */
const forMostUsers = (pool: pg.Pool) =>
  pool.query(
    `update feature_strategies set constraints =
       '[{"contextName":"plan","operator":"IN","values":["gold","silver"],"inverted":false,"caseInsensitive":false}]'`,
  );

interface Row {
  readonly name: string;
  readonly shot: Shot;
  readonly target?: number;
  readonly p95Ms?: number;
}

/** Requests per second of CPU time: what one core can do, also if other programs use the machine. */
async function perCore(shot: Shot, pid: number, seconds: number) {
  const before = cpuSeconds(pid) ?? Number.NaN;
  // Without a warm-up, because its CPU time could not be told apart.
  const figure = await shotsPerSecond(shot, seconds, 0);
  return { ...figure, perCore: figure.samples / ((cpuSeconds(pid) ?? Number.NaN) - before) };
}

async function measure(
  { name, shot, target, p95Ms }: Row,
  pid: number,
  seconds: number,
): Promise<Result> {
  const answer = await fetch(shot.url.replace('[<id>]', '1'), { headers: { ...shot.headers } });
  const text = await answer.text();
  await shotsPerSecond(shot, 3);
  const ours = await perCore(shot, pid, seconds);
  const child = fork(bareFile);
  try {
    const [{ url }] = (await once(child, 'message')) as [{ url: string }];
    const taken = once(child, 'message');
    child.send({ text, type: answer.headers.get('content-type') ?? '' } satisfies BareBody);
    await taken;
    const bare: Shot = { url: `${url}/body`, headers: shot.headers, status: 200 };
    await shotsPerSecond(bare, 2);
    const raw = await perCore(bare, child.pid ?? 0, seconds);
    const note = `${Math.round(ours.perCore)}/s per core, ${Buffer.byteLength(text)} bytes; bare ${Math.round(raw.perCore)}/s per core`;
    return {
      name,
      ...(target !== undefined && {
        target: `≥ ${target}/s per core${p95Ms === undefined ? '' : `, p95 < ${p95Ms} ms`}`,
        met: ours.perCore >= target && (p95Ms === undefined || ours.p95Ms < p95Ms),
      }),
      ours: { ...ours, note },
      raw,
    };
  } finally {
    child.disconnect();
  }
}

/** Measures what serves SDKs: the rates of one process, and its memory. */
export const measureServing = (serving: Serving, seconds: number): Promise<readonly Result[]> =>
  onFreshBurgee(async (fresh) => {
    const { service, pool } = fresh;
    await fillProject(pool, { project, features, eventsPerFeature: 1 });
    await fillProject(pool, { project: hundred, features: hundredFeatures, eventsPerFeature: 1 });
    await forMostUsers(pool);
    const all = await newToken(service, 'client', [project]);
    const some = await newToken(service, 'client', [hundred]);
    const frontend = await newToken(service, 'frontend', [project]);
    return serving.on(fresh, [all, some, frontend], async ({ url, pid }) => {
      const { name, idleMb } = serving;
      const idle = residentMb(pid);
      const featuresFor = (authorization: string): Shot => ({
        url: `${url}/api/client/features`,
        headers: { authorization, 'unleash-client-spec': '5.1.9' },
        status: 200,
      });
      const rows: Row[] = [
        {
          name: `${name}: frontend, ${features} features, new users`,
          shot: {
            url: `${url}/api/frontend?appName=bench&userId=[<id>]&properties[plan]=gold`,
            headers: { authorization: frontend },
            status: 200,
          },
          target: frontendTarget,
          p95Ms: frontendP95Ms,
        },
        {
          name: `${name}: client features, 100 kB`,
          shot: featuresFor(some),
          target: featuresTarget,
        },
        { name: `${name}: client features, ${features}`, shot: featuresFor(all) },
      ];
      const results: Result[] = [
        {
          name: `${name}: idle, ${features} features`,
          ...(idleMb !== undefined && { target: `≤ ${idleMb} MB` }),
          ...(idleMb !== undefined && idle !== undefined && { met: idle <= idleMb }),
          ours: { ...(idle !== undefined && { megabytes: idle }), note: `Node ${process.version}` },
        },
      ];
      for (const row of rows) results.push(await measure(row, pid, seconds));
      const after = residentMb(pid);
      if (after !== undefined)
        results.push({ name: `${name}: memory afterwards`, ours: { megabytes: after } });
      return results;
    });
  });
