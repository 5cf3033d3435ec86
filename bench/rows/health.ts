import { setTimeout as sleep } from 'node:timers/promises';
import { entityTag, type Shot, shotsPerSecond } from '../cannon.ts';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { fillProject } from '../many-features.ts';
import { onFreshBurgee } from '../on-burgee.ts';
import { send } from '../send.ts';

/** What the reference reached on a comparable machine, and our target factor. */
const referencePerSecond = 20;
const targetPerSecond = 20 * referencePerSecond;

const pathOf = (project: string) => `/api/admin/projects/${project}/health-report`;

const shotAt = ({ url, token }: Service, headers: Record<string, string> = {}): Shot => ({
  url: `${url}${pathOf('default')}`,
  headers: { authorization: token, ...headers },
  status: 200,
});

/** Changes the project before each request, so that the cached report is outdated. */
async function afterAChange(
  service: Service,
  project: string,
  features: number,
  { times, targetMs }: { readonly times: number; readonly targetMs: number },
): Promise<Result> {
  const taken: number[] = [];
  for (let nth = 0; nth < times; nth += 1) {
    const body = { name: 'Measured', description: `for the ${nth}th time` };
    await send(service, 'PUT', `/api/admin/projects/${project}`, body);
    const { text, ms } = await send(service, 'GET', pathOf(project));
    const report = JSON.parse(text) as { description: string; features: unknown[] };
    if (report.features.length !== features || report.description !== body.description) {
      throw new Error(`the report of ${project} is not of now`);
    }
    taken.push(ms);
  }
  const ours = figureOf(taken);
  return {
    name: `health report: ${features.toLocaleString('en')} features, after a change`,
    target: `p50 ≤ ${targetMs} ms`,
    met: ours.p50Ms <= targetMs,
    ours,
  };
}

async function unchanged(
  name: string,
  shot: Shot,
  seconds: number,
  reference?: Shot,
): Promise<Result> {
  const ours = await shotsPerSecond(shot, seconds);
  return {
    name: `health report: 1,000 features, ${name}`,
    target: `≥ ${targetPerSecond}/s`,
    met: ours.perSecond >= targetPerSecond,
    ours,
    ...(reference && { reference: await shotsPerSecond(reference, seconds) }),
  };
}

/** After a minute, features that are old enough are marked as stale, which changes the report. */
const settledMs = 60_000;

async function knownOf(service: Service): Promise<Shot> {
  await sleep(settledMs);
  return {
    ...shotAt(service, { 'if-none-match': await entityTag(shotAt(service)) }),
    status: 304,
  };
}

/** Measures the reference as it is: its project `default` should have as many features. */
export const measureHealth = (seconds: number, reference?: Service): Promise<readonly Result[]> =>
  onFreshBurgee(async ({ service, pool }) => {
    await fillProject(pool, { project: 'default', features: 1_000, eventsPerFeature: 8 });
    const changed = await afterAChange(service, 'default', 1_000, { times: 100, targetMs: 120 });
    const whole = shotAt(service);
    const packed = shotAt(service, { 'accept-encoding': 'gzip' });
    const rates = [
      await unchanged('unchanged', whole, seconds, reference && shotAt(reference)),
      await unchanged('unchanged, gzip', packed, seconds),
      await unchanged('304', await knownOf(service), seconds),
    ];
    await fillProject(pool, { project: 'large', features: 10_000, eventsPerFeature: 8 });
    const large = await afterAChange(service, 'large', 10_000, { times: 8, targetMs: 1_200 });
    return [changed, ...rates, large];
  });
