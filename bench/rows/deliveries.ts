import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Result } from '../experiment.ts';
import { figureOf } from '../figure.ts';
import type { Service } from '../load.ts';
import { adminToken, startBurgee } from '../process.ts';
import { seededRandom } from '../random.ts';
import type { Tally } from '../receiver-process.ts';
import { send } from '../send.ts';
import { temporaryFolder } from './starts.ts';

const project = '/api/admin/projects/default';
const featureCount = 500;
/** Each round marks all features as stale or not stale: that many events in one commit. */
const rounds = 60;
const backlog = featureCount * rounds;
/** How often the backlog is delivered and paused, each for `turnMs`. */
const turns = 6;
const turnMs = 5_000;
const settleMs = 1_000;
const writesPerSecond = 20;
const kills = 10;
const random = seededRandom(5);

/** Starts the receiver, and returns how to read its counts. */
async function startReceiver() {
  const child = fork(fileURLToPath(new URL('../receiver-process.ts', import.meta.url)));
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return {
    url,
    /** Latencies are those since the previous call. */
    tally: async (): Promise<Tally> => {
      const answer = once(child, 'message');
      child.send('tally');
      return ((await answer) as [Tally])[0];
    },
    hang: () => child.send('hang'),
    answer: () => child.send('answer'),
    close: () => child.disconnect(),
  };
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Repeats a change without deliveries. Returns the time of each. The pauses are random: regular ones could coincide
 * with other periodic work, and measure it always or never.
 */
async function writeSteadily(service: Service, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    await sleep((2_000 * random.fraction()) / writesPerSecond);
    const description = `change ${times.length} of ${random.fraction()}`;
    const { ms } = await send(service, 'PUT', project, { name: 'Default', description });
    times.push(ms);
  }
  return times;
}

/** Measures one change at a time, from the beginning of its transaction until the receiver has it. */
async function measureLatency(service: Service, receiver: Receiver): Promise<Result> {
  const samples = 300;
  const afterMs: number[] = [];
  for (let nth = 0; nth < samples; nth += 1) {
    const stale = nth % 2 === 0;
    await send(service, 'POST', `${project}/stale`, { features: ['bench-0'], stale });
    await sleep(20);
  }
  while (afterMs.length < samples) {
    afterMs.push(...(await receiver.tally()).afterMs);
    await sleep(50);
  }
  const ours = figureOf(afterMs);
  return {
    name: 'delivery: event to receiver',
    target: 'p50 < 30 ms, p95 < 150 ms',
    met: ours.p50Ms < 30 && ours.p95Ms < 150,
    ours,
  };
}

/**
 * Measures changes during deliveries of a backlog, alternating with changes alone: the machine is sometimes half as
 * fast for seconds, which would distort one of the two.
 */
async function measureRate(service: Service, receiver: Receiver, addon: string): Promise<Result[]> {
  await send(service, 'POST', `${addon}/pause`);
  for (let round = 0; round < rounds; round += 1) {
    const features = Array.from({ length: featureCount }, (_, nth) => `bench-${nth}`);
    await send(service, 'POST', `${project}/stale`, { features, stale: round % 2 === 0 });
  }
  const alone: number[] = [];
  const beside: number[] = [];
  const writeFor = (ms: number) => {
    const until = performance.now() + ms;
    return writeSteadily(service, () => performance.now() > until);
  };
  let delivered = 0;
  let besideMs = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    alone.push(...(await writeFor(turnMs)));
    const { count: before } = await receiver.tally();
    const began = performance.now();
    await send(service, 'POST', `${addon}/resume`);
    beside.push(...(await writeFor(turnMs)));
    delivered += (await receiver.tally()).count - before;
    besideMs += performance.now() - began;
    await send(service, 'POST', `${addon}/pause`);
    await sleep(settleMs);
  }
  const perSecond = (delivered * 1000) / besideMs;
  const [aloneFigure, besideFigure] = [figureOf(alone), figureOf(beside)];
  const growth = besideFigure.p50Ms / aloneFigure.p50Ms - 1;
  return [
    {
      name: `delivery: backlog of ${backlog.toLocaleString('en')}`,
      target: '≥ 500/s',
      met: perSecond >= 500,
      ours: { perSecond, samples: delivered },
    },
    {
      name: 'delivery: writes during a backlog',
      target: 'p50 grows < 20 %',
      met: growth < 0.2,
      ours: {
        ...besideFigure,
        note: `p50 ${aloneFigure.p50Ms.toFixed(2)} ms without it, ${(100 * growth).toFixed(0)} % more`,
      },
    },
  ];
}

/** Creates features, and a webhook for their stale events. Returns its path. */
async function prepare(service: Service, count: number, receiver: Receiver): Promise<string> {
  for (let nth = 0; nth < count; nth += 1) {
    await send(service, 'POST', `${project}/features`, { name: `bench-${nth}` });
  }
  const { text } = await send(service, 'POST', '/api/admin/addons', {
    provider: 'webhook',
    enabled: true,
    events: ['feature-stale-on', 'feature-stale-off'],
    parameters: { url: receiver.url },
  });
  return `/api/admin/addons/${(JSON.parse(text) as { id: number }).id}`;
}

async function untilAnother(receiver: Receiver, before: number): Promise<number> {
  for (;;) {
    const { count } = await receiver.tally();
    if (count > before) return count;
    await sleep(5);
  }
}

/**
 * Kills the server during a delivery, and measures from the first response of the next start until the receiver has it
 * again.
 */
async function measureSurvival(dataDir: string, receiver: Receiver): Promise<Result> {
  const resumedMs: number[] = [];
  let server = await startBurgee(dataDir);
  try {
    await prepare({ url: server.url, token: adminToken }, 1, receiver);
    let { count } = await receiver.tally();
    for (let nth = 0; nth < kills; nth += 1) {
      const stale = nth % 2 === 0;
      receiver.hang();
      const service: Service = { url: server.url, token: adminToken };
      await send(service, 'POST', `${project}/stale`, { features: ['bench-0'], stale });
      count = await untilAnother(receiver, count);
      await server.kill();
      receiver.answer();
      server = await startBurgee(dataDir);
      const began = performance.now();
      count = await untilAnother(receiver, count);
      resumedMs.push(performance.now() - began);
    }
  } finally {
    await server.stop();
  }
  const ours = figureOf(resumedMs);
  return {
    name: 'delivery: recovery after a kill',
    target: 'max < 2 s',
    met: ours.maxMs < 2_000,
    ours,
  };
}

async function measureRunning(dataDir: string, receiver: Receiver): Promise<Result[]> {
  const server = await startBurgee(dataDir);
  try {
    const service: Service = { url: server.url, token: adminToken };
    const addon = await prepare(service, featureCount, receiver);
    return [
      await measureLatency(service, receiver),
      ...(await measureRate(service, receiver, addon)),
    ];
  } finally {
    await server.stop();
  }
}

export async function measureDeliveries(): Promise<readonly Result[]> {
  const folders = [temporaryFolder(), temporaryFolder()] as const;
  const receiver = await startReceiver();
  try {
    const [running, killed] = folders;
    return [...(await measureRunning(running, receiver)), await measureSurvival(killed, receiver)];
  } finally {
    receiver.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}
